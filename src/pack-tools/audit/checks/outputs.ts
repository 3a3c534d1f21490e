/**
 * Checks outputs: whether an agent can know the required texts, and whether the grader can recognize them. An output is
 * searched as a whole word in the observations of the ground truth, in counts and totals of them, in the instruction,
 * in other records that the tools can show this user, in the policy, and in short calculations.
 */

import { lower, type PyValue } from '../../../benchmarks/python/index.ts';
import { findCombination, parseFigure, findAmount, findMultiple, findSum, toCents } from '../figures.ts';
import {
  asGraded,
  hasWord,
  longerWords,
  numberLeaves,
  readableTexts,
  readableValues,
  textLeaves,
  type PackRecord,
} from '../data.ts';
import { finding, type AuditedTask, type Finding, type PackContext } from '../task.ts';

/** Length up to which words may occur inside other words by chance; figures of any length do. */
const SHORT = 3;
const MAX_EXAMPLES = 3;

export function checkOutputs(audited: AuditedTask, context: PackContext): Finding[] {
  const { outputs } = audited.task;
  if (outputs.length === 0) return [];
  const said = saidIn(audited);
  return Array.from(new Set(outputs)).flatMap((output) => {
    const malformed = checkForm(audited, output);
    if (malformed.length > 0) return malformed;
    return [...checkSource(audited, context, output, said), ...checkBorders(audited, output, said)];
  });
}

/** Distinct observations of the replay. */
interface ObservedValues {
  readonly values: readonly PyValue[];
  readonly byTool: ReadonlyMap<string, readonly PyValue[]>;
  /** Texts of the observations, including keys. */
  readonly texts: readonly string[];
}

function saidIn({ replay }: AuditedTask): ObservedValues {
  const byText = new Map(replay.calls.filter(({ kind }) => kind === 'tool').map((call) => [call.observation, call]));
  const byTool = new Map<string, PyValue[]>();
  for (const { action, said } of byText.values()) byTool.set(action.name, [...(byTool.get(action.name) ?? []), said]);
  const values = Array.from(byText.values(), ({ said }) => said);
  return { values, byTool, texts: values.flatMap((value) => readableTexts(value).map(asGraded)) };
}

/** Reports outputs with commas. The grader removes commas from the agent's text, but not from the required output. */
function checkForm(audited: AuditedTask, output: string): Finding[] {
  const shown = JSON.stringify(output);
  if (output.includes(',')) {
    const text = `The grader never finds ${shown}: it takes the commas out of what the agent says.`;
    return [finding(audited, 'output-form', 'wrong', text)];
  }
  if (output.trim() === '') {
    return [
      finding(audited, 'output-form', 'suspicious', `The grader finds ${shown} in almost anything that is said.`),
    ];
  }
  return [];
}

function checkSource(audited: AuditedTask, context: PackContext, output: string, said: ObservedValues): Finding[] {
  const shown = JSON.stringify(output);
  if (said.texts.some((text) => hasWord(text, lower(output)))) return [];
  const source = findSource(lower(output), audited, context, said);
  if (source === undefined) {
    const nothing =
      parseFigure(output) === undefined ? 'record or rule has' : 'record, rule or short calculation gives';
    const text = `No observation, ${nothing} ${shown}.`;
    return [finding(audited, 'unreachable-output', 'suspicious', text)];
  }
  const text =
    source.from === 'read'
      ? `${shown} is in no observation and follows from them.`
      : `${shown} is in no observation of the ground truth; an agent that asks for more finds it.`;
  return [finding(audited, source.from === 'read' ? 'derived-output' : 'unread-output', 'remark', text, [source.how])];
}

interface OutputSource {
  /** True if the ground truth has read the sources. */
  readonly from: 'read' | 'unread';
  readonly how: string;
}

/** Tries likely explanations before unlikely ones. */
function findSource(
  wanted: string,
  audited: AuditedTask,
  { records, pack }: PackContext,
  { values: read, byTool }: ObservedValues,
): OutputSource | undefined {
  const figure = parseFigure(wanted);
  const reach = records.reach(audited.task.userId, listMentioned(audited)).filter(isShort);
  const all = [...read, ...reach.map(({ record }) => record)];
  const within = (find: typeof findAmount, sources: readonly PyValue[]) =>
    figure === undefined ? undefined : find(figure, sources);
  const tries: readonly (() => OutputSource | undefined)[] = [
    () => toSource('read', within(findAmount, read)),
    () => toSource('read', figure === undefined ? undefined : findSum(figure, byTool.values())),
    () => toSource('unread', hasWord(asGraded(audited.task.instruction), wanted) ? 'in the instruction' : undefined),
    () => toSource('unread', findHolder(wanted, reach)),
    () => toSource('unread', within(findAmount, all)),
    () => toSource('read', within(findCombination, read)),
    () => toSource('unread', hasWord(asGraded(pack.policy), wanted) ? 'in the policy' : undefined),
    () => toSource('unread', within(findCombination, all)),
    () => toSource('read', within(findMultiple, read)),
    () => toSource('unread', within(findMultiple, all)),
  ];
  for (const attempt of tries) {
    const source = attempt();
    if (source !== undefined) return source;
  }
  return undefined;
}

/** Largest number of figures in a searched record. Longer records, such as timetables, contain almost any number. */
const MAX_FIGURES = 60;

function isShort({ record }: PackRecord): boolean {
  return numberLeaves(record).length <= MAX_FIGURES;
}

function toSource(from: OutputSource['from'], how: string | undefined): OutputSource | undefined {
  return how === undefined ? undefined : { from, how };
}

function findHolder(wanted: string, reach: readonly PackRecord[]): string | undefined {
  const holder = reach.find(({ record }) =>
    readableTexts(record)
      .map(asGraded)
      .some((text) => hasWord(text, wanted)),
  );
  return holder === undefined ? undefined : `in ${holder.table}/${holder.id}`;
}

/** Reports outputs that are part of a longer word. The grader also accepts the longer word. */
function checkBorders(audited: AuditedTask, output: string, { values }: ObservedValues): Finding[] {
  const wanted = lower(output);
  const figure = parseFigure(wanted);
  if (figure === undefined && Array.from(wanted).length > SHORT) return [];
  // Keys are the tools' words, which nobody says to a user, so only values count.
  const texts = values.flatMap((value) => readableValues(value).map(asGraded));
  // Tools print 5.28 as 5.280000000000001, which is the same figure.
  const isOther = (word: string) => figure === undefined || toCents(Number(word)) !== figure;
  const inside = new Set(texts.flatMap((text) => longerWords(text, wanted)).filter(isOther));
  if (inside.size === 0) return [];
  const examples = Array.from(inside)
    .slice(0, MAX_EXAMPLES)
    .map((word) => JSON.stringify(word));
  const counted = inside.size === 1 ? 'another word' : `${String(inside.size)} other words`;
  const text = `${JSON.stringify(output)} is also found inside ${counted} that the tools say.`;
  return [finding(audited, 'ambiguous-output', 'suspicious', text, examples)];
}

function listMentioned({ replay }: AuditedTask): string[] {
  return replay.calls.flatMap(({ action }) => textLeaves(action.kwargs).map(({ text }) => text));
}
