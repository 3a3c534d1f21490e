/**
 * Logs of Inspect, version 2: an archive with a file per sample (`.eval`), or one JSON document. A sample is a task, its
 * epoch a trial. A sample that ended in an error without a score is left out of Inspect's figures.
 */

import * as z from 'zod';
import { Archive } from './archive.ts';
import { openContent, type ProbedFile } from './file.ts';
import { readItems } from './items.ts';
import { damagedFileError, parseValue } from './json-parts.ts';
import { contentText, countActions, toMessages } from './messages.ts';
import type { ReadOptions, RecordedRun, RecordedTokens, RecordedTrial } from './model.ts';

const headerSchema = z.object({
  status: z.string(),
  eval: z.object({
    task: z.string(),
    model: z.string(),
    solver: z.string().nullish(),
    config: z.object({ epochs_reducer: z.array(z.string()).nullish() }).nullish(),
  }),
  results: z
    .object({
      scores: z.array(
        z.object({
          name: z.string(),
          reducer: z.string().nullish(),
          metrics: z.record(z.string(), z.object({ value: z.unknown().optional() })),
        }),
      ),
      headline: z.object({ score: z.string().nullish() }).nullish().catch(null),
    })
    .nullish(),
});

const toolCallSchema = z.object({ id: z.string().nullish(), function: z.string(), arguments: z.unknown().optional() });

const messageSchema = z.object({
  role: z.string(),
  content: z.unknown().optional(),
  tool_calls: z.array(toolCallSchema).nullish(),
  tool_call_id: z.string().nullish(),
  function: z.string().nullish(),
});

const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  input_tokens_cache_read: z.number().nullish(),
  input_tokens_cache_write: z.number().nullish(),
  reasoning_tokens: z.number().nullish(),
  total_cost: z.number().nullish(),
});

/** Schema of a sample, or of its summary, in which error and limit are texts. */
const sampleSchema = z.object({
  id: z.union([z.string(), z.number()]),
  epoch: z.number().int().positive(),
  scores: z.record(z.string(), z.object({ value: z.unknown().optional() })).nullish(),
  model_usage: z.record(z.string(), usageSchema).nullish(),
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
  limit: z.unknown().optional(),
  total_time: z.number().nullish(),
  turn_count: z.number().nullish(),
  messages: z.array(messageSchema).nullish(),
});

type Sample = z.infer<typeof sampleSchema>;

const WHAT = 'a log of Inspect';
const HEADER = ['status', 'eval', 'results'];
const SAMPLE = Object.keys(sampleSchema.shape);

/** Inspect's own marks of correct, partly correct, wrong and unanswered. */
const MARKS: Readonly<Record<string, number>> = { C: 1, P: 0.5, I: 0, N: 0 };

const ENTRY = /^(?:_journal\/|samples\/|(?:header|summaries|reductions)\.json$)/;

export function isInspectLog({ kind, names }: ProbedFile): boolean {
  if (kind === 'zip') return names.some((name) => ENTRY.test(name));
  return kind === 'object' && names.includes('eval') && names.includes('status');
}

/** @throws ResultsError */
export async function readInspectLog(file: ProbedFile, options: ReadOptions): Promise<RecordedRun[]> {
  const header: Record<string, unknown> = {};
  const trials: RecordedTrial[] = [];
  const parts = file.kind === 'zip' ? readArchive(file.path, options) : readDocument(file.path);
  for await (const part of parts) {
    if (part.kind === 'member') header[part.path] = part.value;
    else trials.push(toTrial(parseValue(sampleSchema, part.value, file.path, WHAT), options));
  }
  const { eval: about, results, status } = parseValue(headerSchema, header, file.path, WHAT);
  return [
    {
      name: `${about.task} (${about.model})`,
      format: 'Inspect',
      benchmark: about.task,
      agent: about.solver ?? null,
      agentModel: about.model === 'none/none' ? null : about.model,
      mainScore: results?.headline?.score ?? results?.scores[0]?.name ?? null,
      notes: [...describeStatus(status), ...(results?.scores ?? []).flatMap(describeFigures)],
      trials,
    },
  ];
}

function readDocument(path: string) {
  return readItems(openContent(path), path, { list: 'samples', members: SAMPLE, others: HEADER });
}

/** Yields samples of an archive. Summaries have all facts but the conversation; an unfinished log has no summaries. */
async function* readArchive(path: string, { messages = false }: ReadOptions) {
  const archive = await Archive.open(path);
  try {
    const { names } = archive;
    const header = ['header.json', '_journal/start.json'].find((name) => names.includes(name));
    if (header === undefined) throw damagedFileError(path, 'it is a zip archive, but not one of Inspect');
    for await (const part of readItems(archive.read(header), path, { list: null, members: HEADER })) {
      if (part.kind !== 'item') continue;
      const fields = { status: 'started', ...(part.value as object) };
      for (const [name, value] of Object.entries(fields)) yield { kind: 'member' as const, path: name, value };
    }
    const isSummarized = !messages && names.includes('summaries.json');
    const members = messages ? SAMPLE : SAMPLE.filter((name) => name !== 'messages');
    if (isSummarized) yield* readItems(archive.read('summaries.json'), path, { list: '', members });
    else {
      for (const name of names.filter((each) => /^samples\/[^/]+\.json$/.test(each))) {
        yield* readItems(archive.read(name), path, { list: null, members: SAMPLE });
      }
    }
  } finally {
    archive.close();
  }
}

function toTrial(sample: Sample, { messages: isAsked = false }: ReadOptions): RecordedTrial {
  const { id, epoch, scores, error, limit, total_time: seconds, messages } = sample;
  const numbers = Object.fromEntries(
    Object.entries(scores ?? {}).flatMap(([name, { value }]) => namedScores(name, value)),
  );
  const isGraded = Object.keys(numbers).length > 0;
  const usage = Object.values(sample.model_usage ?? {});
  const costs = usage.map(({ total_cost: cost }) => cost ?? null);
  const said = toMessages((messages ?? []).map(toMessage));
  return {
    task: String(id),
    trial: epoch - 1,
    scores: numbers,
    outcome: !isGraded && error ? 'infrastructure_error' : limit ? 'max_steps' : 'unknown',
    error: typeof error === 'string' ? error : (error?.message ?? null),
    tokens: toTokens(usage, sample.turn_count ?? null),
    costUsd:
      costs.length === 0 || costs.includes(null) ? null : costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    ...countActions(said),
    durationMs: seconds === null || seconds === undefined ? null : seconds * 1000,
    messages: isAsked ? said : [],
  };
}

/**
 * Returns the scores of a scorer by name: a single score under the scorer's name, a dictionary's scores under their
 * keys.
 */
function namedScores(name: string, value: unknown): [string, number][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, each]) => namedScores(key, each));
  }
  const number = toNumber(value);
  return number === null ? [] : [[name, number]];
}

/** Converts a score as Inspect does (`value_to_float`). */
function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return null;
  if (Object.hasOwn(MARKS, value)) return MARKS[value] ?? null;
  const word = value.trim().toLowerCase();
  if (word === 'yes' || word === 'true') return 1;
  if (word === 'no' || word === 'false') return 0;
  return word !== '' && Number.isFinite(Number(word)) ? Number(word) : null;
}

function toTokens(usage: readonly z.infer<typeof usageSchema>[], calls: number | null): RecordedTokens | null {
  if (usage.length === 0 || calls === null) return null;
  const sum = (figure: (each: z.infer<typeof usageSchema>) => number | null | undefined) =>
    usage.reduce((total, each) => total + (figure(each) ?? 0), 0);
  const cached = sum((each) => each.input_tokens_cache_read);
  // Inspect counts cached tokens separately from the others.
  const prompt = sum((each) => each.input_tokens) + cached + sum((each) => each.input_tokens_cache_write);
  return {
    calls,
    prompt,
    completion: sum((each) => each.output_tokens),
    cached,
    reasoning: sum((each) => each.reasoning_tokens),
  };
}

function toMessage({
  role,
  content,
  tool_calls: calls,
  tool_call_id: id,
  function: name,
}: z.infer<typeof messageSchema>) {
  return {
    role,
    content: contentText(content),
    calls: (calls ?? []).map((call) => ({ id: call.id ?? null, name: call.function, arguments: call.arguments })),
    callId: id ?? null,
    name: name ?? null,
  };
}

const STATUS: Readonly<Record<string, string>> = {
  started: 'The log has no end: Inspect was still running, or was killed.',
  cancelled: 'The evaluation was canceled.',
  error: 'The evaluation ended in an error.',
};

function describeStatus(status: string): string[] {
  const sentence = STATUS[status];
  return sentence === undefined ? [] : [sentence];
}

/** Describes Inspect's figures: `Inspect's own figures: match accuracy 0.200, stderr 0.082 (mean over epochs).` */
function describeFigures({
  name,
  reducer,
  metrics,
}: NonNullable<z.infer<typeof headerSchema>['results']>['scores'][number]) {
  const figures = Object.entries(metrics).flatMap(([metric, { value }]) =>
    typeof value === 'number' ? [`${metric} ${value.toFixed(3)}`] : [],
  );
  if (figures.length === 0) return [];
  const epochs = reducer === null || reducer === undefined ? '' : ` (${reducer} over epochs)`;
  return [`Inspect's own figures of ${name}: ${figures.join(', ')}${epochs}.`];
}
