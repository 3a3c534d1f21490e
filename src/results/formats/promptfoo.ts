/**
 * Results of promptfoo (`eval --output FILE.json`): a run per provider and prompt. A test's variables are its name, and
 * a repeated test is another trial. As in promptfoo's figures, an error is a failure.
 */

import * as z from 'zod';
import { openContent, type ProbedFile } from './file.ts';
import { readItems } from './items.ts';
import { parseValue } from './json-parts.ts';
import { contentText } from './messages.ts';
import type { ReadOptions, RecordedRun, RecordedTokens, RecordedTrial } from './model.ts';

const resultSchema = z.object({
  provider: z.object({ id: z.string(), label: z.string().nullish() }),
  promptIdx: z.number(),
  prompt: z.object({ raw: z.string(), label: z.string().nullish() }),
  vars: z.record(z.string(), z.unknown()).nullish(),
  testCase: z.object({ description: z.string().nullish() }).nullish(),
  success: z.boolean(),
  score: z.number(),
  namedScores: z.record(z.string(), z.number()).nullish(),
  /** Kind of failure; 2: the provider failed. */
  failureReason: z.number().nullish(),
  error: z.string().nullish(),
  cost: z.number().nullish(),
  latencyMs: z.number().nullish(),
  tokenUsage: z
    .object({
      total: z.number().nullish(),
      prompt: z.number().nullish(),
      completion: z.number().nullish(),
      cached: z.number().nullish(),
      numRequests: z.number().nullish(),
    })
    .nullish(),
  response: z.object({ output: z.unknown().optional() }).nullish(),
});

const promptsSchema = z.array(
  z.object({
    metrics: z
      .object({
        score: z.number(),
        testPassCount: z.number(),
        testFailCount: z.number(),
        testErrorCount: z.number(),
      })
      .nullish(),
  }),
);

type Result = z.infer<typeof resultSchema>;

const WHAT = 'a result of promptfoo';
const LIST = 'results.results';
const PROMPTS = 'results.prompts';
const FAILED_PROVIDER = 2;
const LABEL_CHARS = 40;

export function isPromptfoo({ kind, names, head }: ProbedFile): boolean {
  return kind === 'object' && names.includes('results') && (names.includes('evalId') || /"prompts"\s*:/.test(head));
}

/** @throws ResultsError */
export async function readPromptfoo({ path }: ProbedFile, { messages = false }: ReadOptions): Promise<RecordedRun[]> {
  const runs = new Map<number, { first: Result; trials: RecordedTrial[] }>();
  const counts = new Map<string, number>();
  let figures: z.infer<typeof promptsSchema> = [];
  const members = Object.keys(resultSchema.shape);
  for await (const part of readItems(openContent(path), path, { list: LIST, members, others: [PROMPTS] })) {
    if (part.kind === 'member') {
      figures = parseValue(promptsSchema, part.value, path, WHAT);
      continue;
    }
    const result = parseValue(resultSchema, part.value, path, WHAT);
    const run = runs.get(result.promptIdx) ?? { first: result, trials: [] };
    runs.set(result.promptIdx, run);
    const task = nameTest(result);
    const key = `${String(result.promptIdx)} ${task}`;
    const trial = counts.get(key) ?? 0;
    counts.set(key, trial + 1);
    run.trials.push(toTrial(result, task, trial, messages));
  }
  const hasPrompts = new Set(Array.from(runs.values(), ({ first }) => first.prompt.label ?? first.prompt.raw)).size > 1;
  return [...runs]
    .sort(([a], [b]) => a - b)
    .map(([index, { first, trials }]) => {
      const provider = first.provider.label || first.provider.id;
      const label = (first.prompt.label ?? first.prompt.raw).replaceAll(/\s+/g, ' ').slice(0, LABEL_CHARS);
      return {
        name: hasPrompts ? `${provider}: ${label}` : provider,
        format: 'promptfoo',
        benchmark: null,
        agent: null,
        agentModel: first.provider.id,
        mainScore: 'success',
        notes: describeFigures(figures[index]?.metrics),
        trials,
      };
    });
}

function nameTest({ vars, testCase }: Result): string {
  return testCase?.description || JSON.stringify(vars ?? {});
}

function toTrial(result: Result, task: string, trial: number, hasMessages: boolean): RecordedTrial {
  const { success, score, namedScores, failureReason, error, cost, latencyMs, tokenUsage, prompt, response } = result;
  const isError = failureReason === FAILED_PROVIDER;
  const output = response?.output;
  return {
    task,
    trial,
    scores: { success: success ? 1 : 0, score, ...namedScores },
    outcome: isError ? 'error' : 'unknown',
    error: isError ? (error ?? 'the provider failed') : null,
    tokens: toTokens(tokenUsage),
    // promptfoo writes 0 for an unknown cost.
    costUsd: cost || null,
    steps: null,
    turns: null,
    tools: [],
    durationMs: latencyMs ?? null,
    messages: hasMessages
      ? [
          { role: 'user', content: prompt.raw },
          { role: 'assistant', content: contentText(output) ?? JSON.stringify(output ?? null) },
        ]
      : [],
  };
}

/** Converts the tokens. promptfoo writes 0 for an unknown number. */
function toTokens(usage: Result['tokenUsage']): RecordedTokens | null {
  const { total, prompt, completion, cached, numRequests: calls } = usage ?? {};
  if (!total || !calls || typeof prompt !== 'number' || typeof completion !== 'number') return null;
  return { calls, prompt, completion, cached };
}

function describeFigures(metrics: z.infer<typeof promptsSchema>[number]['metrics'] | undefined): string[] {
  if (metrics === null || metrics === undefined) return [];
  const { testPassCount: passed, testFailCount: failed, testErrorCount: errors, score } = metrics;
  const share = ((100 * passed) / (passed + failed + errors)).toFixed(2);
  return [
    `promptfoo's own figures: ${String(passed)} passed (${share}%), ${String(failed)} failed, ${String(errors)} errors, ` +
      `score ${score.toFixed(2)}.`,
  ];
}
