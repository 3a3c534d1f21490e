/** Instances of Every Eval Ever (0.2, 0.3): a line per sample and metric. An epoch in the metadata is the trial. */

import * as z from 'zod';
import { openContent, type ProbedFile } from './file.ts';
import { readItems } from './items.ts';
import { parseValue } from './json-parts.ts';
import { countActions, toMessages } from './messages.ts';
import type { ReadOptions, RecordedRun, RecordedTrial } from './model.ts';

const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.unknown().optional() })).nullish(),
  tool_call_id: z.array(z.string()).nullish(),
});

const instanceSchema = z.object({
  model_id: z.string(),
  evaluation_id: z.string(),
  evaluation_name: z.string(),
  evaluation_result_id: z.string().nullish(),
  sample_id: z.string(),
  input: z.object({ raw: z.string() }).nullish(),
  output: z.object({ raw: z.array(z.string()) }).nullish(),
  messages: z.array(messageSchema).nullish(),
  evaluation: z.object({ score: z.number(), is_correct: z.boolean() }),
  token_usage: z
    .object({
      input_tokens: z.number(),
      output_tokens: z.number(),
      input_tokens_cache_read: z.number().nullish(),
      reasoning_tokens: z.number().nullish(),
    })
    .nullish(),
  performance: z.object({ latency_ms: z.number().nullish(), generation_time_ms: z.number().nullish() }).nullish(),
  error: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

type Instance = z.infer<typeof instanceSchema>;

export function isEveryEvalEver({ kind, names }: ProbedFile): boolean {
  return kind === 'object' && ['evaluation_id', 'evaluation_name', 'sample_id'].every((name) => names.includes(name));
}

/** @throws ResultsError */
export async function readEveryEvalEver({ path }: ProbedFile, options: ReadOptions): Promise<RecordedRun[]> {
  const runs = new Map<string, { first: Instance; scores: Set<string>; trials: Map<string, RecordedTrial> }>();
  const counts = new Map<string, number>();
  for await (const { value } of readItems(openContent(path), path, { list: null })) {
    const instance = parseValue(instanceSchema, value, path, 'an instance of Every Eval Ever');
    const { evaluation_id: id, sample_id: task, evaluation } = instance;
    const run = runs.get(id) ?? {
      first: instance,
      scores: new Set<string>(),
      trials: new Map<string, RecordedTrial>(),
    };
    runs.set(id, run);
    const score = instance.evaluation_result_id ?? instance.evaluation_name;
    run.scores.add(score);
    const key = JSON.stringify([id, score, task]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const trial = readEpoch(instance) ?? count;
    const name = JSON.stringify([task, trial]);
    const before = run.trials.get(name);
    const scores = instance.error ? {} : { [score]: evaluation.score };
    run.trials.set(
      name,
      before === undefined
        ? { ...toTrial(instance, trial, options), scores }
        : { ...before, scores: { ...before.scores, ...scores } },
    );
  }
  return Array.from(runs.values(), ({ first, scores, trials }) => ({
    name: `${first.evaluation_name} (${first.model_id})`,
    format: 'Every Eval Ever',
    benchmark: first.evaluation_name,
    agent: null,
    agentModel: first.model_id,
    mainScore: [...scores][0] ?? null,
    notes: [],
    trials: [...trials.values()],
  }));
}

/** Returns the epoch, from 1 as in Inspect. */
function readEpoch({ metadata }: Instance): number | null {
  const epoch = Number(metadata?.['epoch'] ?? Number.NaN);
  return Number.isSafeInteger(epoch) && epoch > 0 ? epoch - 1 : null;
}

function toTrial(instance: Instance, trial: number, { messages: isAsked = false }: ReadOptions): RecordedTrial {
  const { sample_id: task, messages, input, output, error, performance, token_usage: usage } = instance;
  const said = toMessages(
    (messages ?? []).map(({ role, content, tool_calls: calls, tool_call_id: ids }) => ({
      role,
      content: content ?? null,
      calls: (calls ?? []).map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
      callId: ids?.[0] ?? null,
      name: null,
    })),
  );
  const answered = said.filter(({ role }) => role === 'assistant').length || (output ? 1 : 0);
  const single = [
    { role: 'user', content: input?.raw ?? null },
    { role: 'assistant', content: output?.raw.join('\n') ?? null },
  ];
  return {
    task,
    trial,
    scores: {},
    outcome: error ? 'infrastructure_error' : 'unknown',
    error: error?.split('\n')[0] ?? null,
    tokens:
      usage && answered > 0
        ? {
            calls: answered,
            prompt: usage.input_tokens,
            completion: usage.output_tokens,
            cached: usage.input_tokens_cache_read,
            reasoning: usage.reasoning_tokens,
          }
        : null,
    costUsd: null,
    ...countActions(said),
    durationMs: performance?.generation_time_ms ?? (performance?.latency_ms || null),
    messages: !isAsked ? [] : said.length > 0 ? said : single,
  };
}
