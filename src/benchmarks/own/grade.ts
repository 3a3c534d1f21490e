/** Grades an episode: computes the parts of the grade, and which of them the reward depends on. */

import * as z from 'zod';
import type { GradeCheck, GradePart } from '../grade.ts';
import { EnvironmentServiceError, type ServiceCall, type ServiceGrade } from '../service/port.ts';
import type { SentenceVerdict } from '../types.ts';
import { attempt, describeValue } from '../../errors/index.ts';
import { jsonObject } from '../../io/index.ts';
import type { Benchmark, CountedPart, EpisodeEnd, MadeCall } from './public.ts';
import { NotJsonError, toJsonText, stateValueAt } from './plain-json.ts';
import type { OwnTask } from './tasks.schema.ts';
import type { BenchmarkState } from './tools.ts';

type GradeMessage = Readonly<Record<string, unknown>>;

export interface GradedEnd {
  /** The state at the end; undefined if unknown. */
  readonly state: BenchmarkState | undefined;
  /** The state after the task's ground truth; undefined without a ground truth, or if unknown. */
  readonly wanted: BenchmarkState | undefined;
  readonly messages: readonly GradeMessage[];
  readonly verdicts: readonly SentenceVerdict[] | undefined;
}

/** Returns the parts that a task's reward depends on. @param isStateKnown false: calls replace the state */
export function countedParts(
  { calls, data, outputs, sentences, counts }: OwnTask,
  hasGrade: boolean,
  isStateKnown: boolean,
): readonly CountedPart[] {
  if (counts !== undefined) return counts;
  const counted: CountedPart[] = [];
  if (isStateKnown && (calls ?? data) !== undefined) counted.push('data');
  if (!isStateKnown && calls !== undefined) counted.push('calls');
  if (outputs !== undefined) counted.push('outputs');
  if (sentences !== undefined) counted.push('sentences');
  if (hasGrade) counted.push('grade');
  return counted;
}

export async function gradeEnd(task: OwnTask, grade: Benchmark['grade'], end: GradedEnd): Promise<ServiceGrade> {
  const counted = countedParts(task, grade !== undefined, end.state !== undefined);
  const made = readCalls(end.messages);
  const parts: GradePart[] = [];
  const data = checkData(task, end);
  const counts = (part: CountedPart) => counted.includes(part);
  if (data.length > 0) parts.push({ kind: 'data', counts: counts('data'), checks: data, numberSpellingOnly: false });
  if (task.calls !== undefined) {
    parts.push({ kind: 'calls', counts: counts('calls'), checks: checkCalls(task.calls, made) });
  }
  if (task.outputs !== undefined) {
    parts.push({ kind: 'outputs', counts: counts('outputs'), ...checkOutputs(task.outputs, end.messages) });
  }
  if (grade !== undefined) {
    const state = end.state === undefined ? undefined : (JSON.parse(end.state.text) as never);
    const answers = await askGrade(grade, task, { state: state as never, messages: end.messages, calls: made });
    const checks = Object.entries(answers).map(([wanted, isMet]) => ({ wanted, isMet }));
    parts.push({ kind: 'assertions', counts: counts('grade'), checks });
  }
  if (task.sentences !== undefined) {
    const checks = checkSentences(task.sentences, end.verdicts);
    parts.push({ kind: 'sentences', counts: counts('sentences'), checks });
  }
  const failed = parts.some((part) => part.counts && part.checks.some(({ isMet }) => isMet === false));
  return { reward: failed ? 0 : 1, parts: [...parts.filter((p) => p.counts), ...parts.filter((p) => !p.counts)] };
}

const gradeAnswer = z.union([z.boolean(), z.record(z.string(), z.boolean())]);

/**
 * Calls the benchmark's own function. @returns answers by name @throws EnvironmentServiceError for an invalid answer
 */
async function askGrade(
  grade: NonNullable<Benchmark['grade']>,
  task: OwnTask,
  end: EpisodeEnd<never>,
): Promise<Readonly<Record<string, boolean>>> {
  const fault = (what: string) =>
    new EnvironmentServiceError('invalid', `the function grade ${what}; correct it in the benchmark's folder.`);
  let answer: unknown;
  try {
    answer = await grade(task, end);
  } catch (error) {
    throw fault(`failed: ${describeValue(error)}`);
  }
  const { data } = gradeAnswer.safeParse(answer);
  if (data === undefined) {
    throw fault(`returned ${describeValue(answer)}, which is neither true nor false, nor several of them by name`);
  }
  return typeof data === 'boolean' ? { [`grade of ${task.id}`]: data } : data;
}

function checkData({ data }: OwnTask, { state, wanted }: GradedEnd): GradeCheck[] {
  if (state === undefined) return [];
  if (data === undefined) {
    return wanted === undefined ? [] : [{ wanted: wanted.digest, isMet: wanted.digest === state.digest }];
  }
  const end: unknown = JSON.parse(state.text);
  return Object.entries(data).map(([path, value]) => {
    const text = toJsonText(value, { canonical: true });
    const isMet = toJsonText(stateValueAt(end, path) ?? null, { canonical: true }) === text;
    return { wanted: `${path} is ${text}`, isMet };
  });
}

/** Checks that each wanted call was made once, in any order. */
function checkCalls(wanted: readonly Required<MadeCall>[], made: readonly Required<MadeCall>[]): GradeCheck[] {
  const left = made.map((call) =>
    attempt(
      () => describeCall(call),
      () => call.name,
      NotJsonError,
    ),
  );
  return wanted.map((call) => {
    const text = describeCall(call);
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return { wanted: text, isMet: at >= 0 };
  });
}

function describeCall({ requestor, name, arguments: args }: Required<MadeCall>): string {
  return `${requestor === 'user' ? 'user: ' : ''}${name} ${toJsonText(args, { canonical: true })}`;
}

/** Checks that the agent has said each output, ignoring case and the commas in numbers. */
function checkOutputs(
  outputs: readonly string[],
  messages: readonly GradeMessage[],
): { checks: GradeCheck[]; areWords: boolean } {
  const said = messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' ? [ungroupDigits(content)] : [],
  );
  const checks = outputs.map((output) => ({
    wanted: output,
    isMet: said.some((text) => text.includes(ungroupDigits(output))),
  }));
  return { checks, areWords: outputs.every((output) => said.some((text) => hasWord(text, ungroupDigits(output)))) };
}

function ungroupDigits(text: string): string {
  return text.toLowerCase().replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const after = at + word.length;
    const isJoined =
      /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) ||
      /^(?:[\p{L}\p{N}]|\.\d)/u.test(text.slice(after, after + 2));
    if (!isJoined) return true;
  }
  return false;
}

function checkSentences(sentences: readonly string[], verdicts: readonly SentenceVerdict[] = []): GradeCheck[] {
  return sentences.map((wanted) => {
    const verdict = verdicts.find(({ assertion }) => assertion === wanted);
    return { wanted, isMet: verdict?.met ?? null, ...(verdict === undefined ? {} : { reason: verdict.reason }) };
  });
}

/** Returns the calls of a conversation, of agent and user. Calls whose arguments are not a JSON object are left out. */
function readCalls(messages: readonly GradeMessage[]): Required<MadeCall>[] {
  return messages.flatMap(({ role, tool_calls: calls }) => {
    if (!Array.isArray(calls)) return [];
    return (calls as { readonly function?: { readonly name?: unknown; readonly arguments?: unknown } }[]).map(
      (call) => ({
        requestor: role === 'user' ? ('user' as const) : ('assistant' as const),
        name: String(call.function?.name),
        arguments: jsonObject(String(call.function?.arguments)) ?? {},
      }),
    );
  });
}

export function toServiceCall({ requestor, name, arguments: args }: Required<MadeCall>): ServiceCall {
  return { requestor, name, arguments: JSON.stringify(args) };
}
