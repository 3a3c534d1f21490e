/**
 * Trajectories of Harbor (ATIF 1.0 to 1.8), one episode per file or per line. The score is `extra.reward`, if it
 * exists.
 */

import path from 'node:path';
import * as z from 'zod';
import { openContent, type ProbedFile } from './file.ts';
import { readItems } from './items.ts';
import { parseValue } from './json-parts.ts';
import { contentText, countActions, toMessages, type RecordedMessage } from './messages.ts';
import type { ReadOptions, RecordedRun, RecordedTokens, RecordedTrial } from './model.ts';

const content = z.union([z.string(), z.array(z.unknown())]).nullish();

const stepSchema = z.object({
  source: z.enum(['system', 'user', 'agent']),
  message: content,
  tool_calls: z
    .array(z.object({ tool_call_id: z.string(), function_name: z.string(), arguments: z.unknown().optional() }))
    .nullish(),
  observation: z.object({ results: z.array(z.object({ source_call_id: z.string().nullish(), content })) }).nullish(),
  llm_call_count: z.number().nullish(),
});

const trajectorySchema = z.object({
  session_id: z.string().nullish(),
  agent: z.object({ name: z.string(), model_name: z.string().nullish() }),
  steps: z.array(stepSchema),
  final_metrics: z
    .object({
      total_prompt_tokens: z.number().nullish(),
      total_completion_tokens: z.number().nullish(),
      total_cached_tokens: z.number().nullish(),
      total_cost_usd: z.number().nullish(),
    })
    .nullish(),
  extra: z
    .object({
      reward: z.number().nullish(),
      task: z.union([z.string(), z.number()]).nullish(),
      trial: z.number().int().nonnegative().nullish(),
    })
    .nullish()
    .catch(null),
});

type Step = z.infer<typeof stepSchema>;

export interface Trajectory {
  readonly trial: RecordedTrial;
  readonly agent: string;
  readonly agentModel: string | null;
}

export function isTrajectory({ kind, head }: ProbedFile): boolean {
  return kind === 'object' && /"schema_version"\s*:\s*"ATIF-v1\./.test(head);
}

/** @throws ResultsError */
export async function readTrajectoryFile({ path: file }: ProbedFile, options: ReadOptions): Promise<RecordedRun[]> {
  const runs = new Map<string, RecordedRun & { trials: RecordedTrial[] }>();
  for await (const { trial, agent, agentModel } of readTrajectories(file, options)) {
    const name = agentModel === null ? agent : `${agent} (${agentModel})`;
    const run = runs.get(name) ?? { ...NO_FACTS, name, agent, agentModel, trials: [] };
    run.trials.push(trial);
    runs.set(name, run);
  }
  return [...runs.values()];
}

const NO_FACTS = { format: 'ATIF', benchmark: null, mainScore: null, notes: [] };

/** Yields the trajectories of a file with one trajectory, or with one per line. @throws ResultsError */
export async function* readTrajectories(
  file: string,
  { messages = false }: ReadOptions,
): AsyncGenerator<Trajectory, void, undefined> {
  for await (const { value } of readItems(openContent(file), file, { list: null })) {
    const { agent, steps, ...rest } = parseValue(trajectorySchema, value, file, 'a trajectory in ATIF');
    const said = toMessages(steps.flatMap(listMessages));
    const { final_metrics: totals, extra } = rest;
    const trial: RecordedTrial = {
      task: String(extra?.task ?? rest.session_id ?? path.basename(file, '.json')),
      trial: extra?.trial ?? 0,
      scores: { ...(typeof extra?.reward === 'number' ? { reward: extra.reward } : {}) },
      outcome: 'unknown',
      error: null,
      tokens: toTokens(totals, steps),
      costUsd: totals?.total_cost_usd ?? null,
      ...countActions(said),
      durationMs: null,
      messages: messages ? said : [],
    };
    yield { trial, agent: agent.name, agentModel: agent.model_name ?? null };
  }
}

function toTokens(
  totals: z.infer<typeof trajectorySchema>['final_metrics'],
  steps: readonly Step[],
): RecordedTokens | null {
  const {
    total_prompt_tokens: prompt,
    total_completion_tokens: completion,
    total_cached_tokens: cached,
  } = totals ?? {};
  if (typeof prompt !== 'number' || typeof completion !== 'number') return null;
  const calls = steps
    .filter(({ source }) => source === 'agent')
    .reduce((sum, { llm_call_count: count }) => sum + (count ?? 1), 0);
  return calls === 0 ? null : { calls, prompt, completion, cached };
}

/** Converts a step of the agent, which contains its calls and their results. */
function listMessages({ source, message, tool_calls: calls, observation }: Step): RecordedMessage[] {
  const none = { calls: [], callId: null, name: null };
  const own = {
    ...none,
    role: source === 'agent' ? 'assistant' : source,
    content: contentText(message),
    calls: (calls ?? []).map((call) => ({
      id: call.tool_call_id,
      name: call.function_name,
      arguments: call.arguments,
    })),
  };
  const results = (observation?.results ?? []).map((result) => ({
    ...none,
    role: 'tool',
    content: contentText(result.content),
    callId: result.source_call_id ?? null,
  }));
  return [own, ...results];
}
