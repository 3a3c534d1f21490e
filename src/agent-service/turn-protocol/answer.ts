/** Reads an agent's answer. */

import type * as z from 'zod';
import { withoutThoughts, type AgentAnswer, type AgentToolCall } from '../../agents/index.ts';
import { dumpJson, isDict, isList, JsonError, parseJson, type PyValue } from '../../benchmarks/python/index.ts';
import type { AgentTurnOutput, ReportedUsage } from '../payloads.ts';
import type { AskOptions } from './http.ts';
import { reportedUsageSchema, turnAnswerSchema } from './protocol.schema.ts';
import { meansNoArguments, parsedJson } from '../../io/index.ts';

/**
 * An answer without its request. The usage is also absent if it cannot be read; `peer` is for `AskOptions.peer` of the
 * next request.
 */
export type TurnAnswer = Pick<AgentTurnOutput, 'answer' | 'answersAttempt' | 'usage' | 'peer'>;

/** An answer that breaks the protocol; the message continues `answered 2xx with`. */
export class AnswerProblem extends Error {
  /** True if the answer has no part of the protocol, so that another program may be at the address. */
  readonly isNoAnswer: boolean;

  constructor(message: string, isNoAnswer = false) {
    super(message);
    this.isNoAnswer = isNoAnswer;
  }
}

/**
 * Reads an answer of status 2xx.
 * @param request number of the request, for calls without an id
 * @throws AnswerProblem
 */
export function readTurnAnswer(body: string, request: number, onUnreadUsage: AskOptions['onUnreadUsage']): TurnAnswer {
  const json = parsedJson(body);
  if (json === undefined) throw new AnswerProblem('what is no JSON', true);
  const read = turnAnswerSchema.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join('.') ?? '';
    const what = `what is no answer (${where || 'it'}: ${issue?.message ?? 'is wrong'})`;
    throw new AnswerProblem(what, where === '');
  }
  const { attempt, end, usage } = read.data;
  const message = read.data.message ?? null;
  const calls = read.data.tool_calls ?? [];
  const reported = readUsage(usage, onUnreadUsage);
  const withUsage = (answer: AgentAnswer): TurnAnswer => ({
    answer,
    answersAttempt: attempt ?? undefined,
    usage: reported,
  });
  if (end === true) return withUsage({ kind: 'end' });
  if (calls.length > 0) {
    return withUsage({ kind: 'tool_calls', calls: readCalls(calls, body, request) });
  }
  if (message === null) throw new AnswerProblem('no answer (give message, tool_calls or end)', true);
  const content = withoutThoughts(message);
  if (content === '' && message !== '') throw new AnswerProblem('a thought and no message');
  return withUsage({ kind: 'message', content });
}

type ParsedCall = NonNullable<z.infer<typeof turnAnswerSchema>['tool_calls']>[number];

function readCalls(calls: readonly ParsedCall[], body: string, request: number): AgentToolCall[] {
  const given = new Set<string>();
  let whole: PyValue | undefined;
  const spelled = () => (whole ??= parseJson(body));
  return calls.map((call, at) => {
    const isNested = 'function' in call;
    const { name, arguments: value } = isNested ? call.function : call;
    const id = call.id ?? `call_${String(request)}_${String(at + 1)}`;
    if (given.has(id)) throw new AnswerProblem(`two calls of the id ${id}`);
    given.add(id);
    const path = ['tool_calls', at, ...(isNested ? ['function'] : []), 'arguments'];
    return { id, name, argumentsJson: argumentsText(value, spelled, path) };
  });
}

/** Returns the arguments with their spelling of numbers, which the benchmark distinguishes. */
function argumentsText(value: unknown, spelled: () => PyValue, path: readonly (string | number)[]): string {
  if (value === undefined || value === null) return '{}';
  if (typeof value === 'string') return meansNoArguments(value) ? '{}' : value;
  try {
    const found = path.reduce<PyValue | undefined>((inner, key) => {
      if (typeof key === 'number') return isList(inner) ? inner[key] : undefined;
      return isDict(inner) ? inner.get(key) : undefined;
    }, spelled());
    return dumpJson(found ?? new Map());
  } catch (error) {
    if (error instanceof JsonError || error instanceof RangeError) {
      throw new AnswerProblem('arguments that are nested too deep, or have too long a number');
    }
    throw error;
  }
}

/** Reads the usage; an unreadable one only leaves the costs unknown. */
function readUsage(given: unknown, onUnread: AskOptions['onUnreadUsage']): ReportedUsage | undefined {
  if (given === undefined || given === null) return undefined;
  const { success, data, error } = reportedUsageSchema.safeParse(given);
  if (!success) {
    const [issue] = error.issues;
    onUnread?.([...(issue?.path ?? []), issue?.message].join(': '));
    return undefined;
  }
  return {
    calls: data.calls ?? 1,
    promptTokens: data.prompt_tokens ?? 0,
    completionTokens: data.completion_tokens ?? 0,
    cachedTokens: data.cached_tokens ?? 0,
    reasoningTokens: data.reasoning_tokens ?? 0,
    costUsd: data.cost_usd ?? null,
    model: data.model ?? undefined,
  };
}
