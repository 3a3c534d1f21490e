/** Reads model calls and their answers from the inputs and outputs of activities, for logs, metrics and traces. */

import type { CallRole } from '../../agents/index.ts';
import type { CompleteInput } from '../../episode/index.ts';
import type { ForwardInput } from '../../agent-service/pure.ts';
import type { JudgeInput, JudgeOutput, CompleteOutput } from '../../evaluation/index.ts';

/** A model call of an episode, or of a judge (`judge author`), whose workflow has another name. */
export interface TracedCall extends Pick<
  CompleteInput,
  'call' | 'episode' | 'model' | 'maxCompletionTokens' | 'format'
> {
  readonly role: CallRole | 'judge';
  /** Seed of the request; null: none is sent. */
  readonly seed: number | null;
}

export type TracedAnswer = Pick<
  CompleteOutput,
  'usage' | 'servedModel' | 'finishReason' | 'latencyMs' | 'costUsd' | 'cached'
>;

/** Names that OpenTelemetry's conventions prescribe for providers; other providers keep their names. */
const CONVENTIONAL_NAMES: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['moonshot', 'moonshot_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
]);

/** Returns the value of `gen_ai.provider.name`. */
export function toConventionalProvider(provider: string): string {
  return CONVENTIONAL_NAMES.get(provider) ?? provider;
}

/** @param input the activity's input @returns null for an activity that calls no model */
export function toModelCall(activityType: string, input: unknown): TracedCall | null {
  switch (activityType) {
    case 'complete':
      return input as CompleteInput;
    case 'forward': {
      const { call, episode, model } = input as ForwardInput;
      return { role: 'agent', call, episode, model, format: 'text', seed: null };
    }
    case 'judge': {
      const { episode, judge, question } = input as JudgeInput;
      const { model, maxCompletionTokens: cap } = judge;
      const capped = cap === undefined ? {} : { maxCompletionTokens: cap };
      return { role: 'judge', call: `judge ${question}`, episode, model, ...capped, format: 'json', seed: null };
    }
    default:
      return null;
  }
}

/**
 * @param output the result of an activity that calls a model
 * @returns null for a result of another version, because a paid call must not fail for a report
 */
export function toModelAnswer(output: unknown): TracedAnswer | null {
  if (typeof output !== 'object' || output === null || !('latencyMs' in output)) return null;
  if ('usage' in output) return output as CompleteOutput;
  if (!('promptTokens' in output)) return null;
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, reasoningTokens, ...answer } =
    output as JudgeOutput;
  const written = cacheWriteTokens === undefined ? {} : { cacheWriteTokens };
  return { ...answer, usage: { promptTokens, completionTokens, cachedTokens, ...written, reasoningTokens } };
}
