/**
 * Results of tau-bench and τ³-bench, read one episode at a time: files that are too large for memory, several files of
 * a folder, and submissions to a leaderboard, whose domains are one run.
 */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { resultsFormats } from '../../benchmarks/contents.ts';
import { JsonError, isDict, parseJson, type PyValue } from '../../benchmarks/python/index.ts';
import { fromFile } from '../../benchmarks/python/values.schema.ts';
import { resultsEntrySchema, type ResultsFileEntry } from '../../benchmarks/results.ts';
import { findStats, isFolder } from '../../io/index.ts';
import { rowOfEntry } from '../../run-log/index.ts';
import { openContent, probeFile, type ProbedFile } from './file.ts';
import { readItems } from './items.ts';
import { damagedFileError, parseValue } from './json-parts.ts';
import type { ReadOptions, RecordedRun, RecordedTrial } from './model.ts';

export function isTauResults({ kind, names, head }: ProbedFile): boolean {
  if (kind === 'object') return names.includes('simulations') || /"environment_info"\s*:/.test(head);
  return kind === 'list' && /^\s*\[\s*\{[^{}]*"(?:task_id|reward)"\s*:/.test(head);
}

/** @throws ResultsError */
export async function readTauResults(file: ProbedFile, options: ReadOptions): Promise<RecordedRun[]> {
  const trials: RecordedTrial[] = [];
  let domain: string | null = null;
  for await (const { entry, costUsd } of readEntries(file)) {
    domain ??= entry.origin?.domain ?? null;
    trials.push(toTrial(entry, costUsd, '', options));
  }
  const format = file.kind === 'list' ? 'tau-bench' : 'tau3';
  return [{ ...NO_FACTS, name: path.basename(file.path, '.json'), format, benchmark: domain, trials }];
}

const NO_FACTS = { agent: null, agentModel: null, mainScore: 'reward', notes: [] };
const SUBMISSION = 'submission.json';

const submissionSchema = z.object({
  model_name: z.string(),
  results: z.record(z.string(), z.record(z.string(), z.unknown()).nullish()).nullish(),
});

/** Returns the folders of submissions in a folder, or the folder itself if it is a submission. */
export function findSubmissions(folder: string, names: readonly string[]): string[] {
  if (names.includes(SUBMISSION)) return [folder];
  const folders = names.map((name) => path.join(folder, name));
  return folders.filter((each) => findStats(path.join(each, SUBMISSION))?.isFile() === true);
}

/** @returns null for a submission without trajectories. @throws ResultsError */
export async function readSubmission(folder: string, options: ReadOptions): Promise<RecordedRun[] | null> {
  const about = path.join(folder, SUBMISSION);
  let submission: z.infer<typeof submissionSchema> | null = null;
  for await (const { value } of readItems(openContent(about), about, { list: null })) {
    submission ??= parseValue(submissionSchema, value, about, 'a submission');
  }
  const trials: RecordedTrial[] = [];
  for (const file of await listTrajectories(folder)) {
    const probed = await probeFile(file);
    if (!isTauResults(probed)) continue;
    for await (const { entry, costUsd } of readEntries(probed)) {
      trials.push(
        toTrial(
          entry,
          costUsd,
          `${entry.origin?.domain?.replace('tau3-', '') ?? path.basename(file, '.json')}/`,
          options,
        ),
      );
    }
  }
  if (trials.length === 0 || submission === null) return null;
  const notes = Object.entries(submission.results ?? {}).flatMap(([domain, figures]) =>
    describeFigures(domain, figures),
  );
  const { model_name: model } = submission;
  return [{ ...NO_FACTS, name: model, format: 'tau3', benchmark: 'τ³-bench', agentModel: model, notes, trials }];
}

async function listTrajectories(folder: string): Promise<string[]> {
  const inner = path.join(folder, 'trajectories');
  const place = (await isFolder(inner)) ? inner : folder;
  const names = (await readdir(place)).filter((name) => name.endsWith('.json') && name !== SUBMISSION);
  return names.sort().map((name) => path.join(place, name));
}

function describeFigures(domain: string, figures: Readonly<Record<string, unknown>> | null | undefined): string[] {
  const shares = Object.entries(figures ?? {}).flatMap(([name, value]) =>
    /^pass_\d+$/.test(name) && typeof value === 'number' ? [`${name.replace('_', '^')} ${value.toFixed(1)} %`] : [],
  );
  return shares.length === 0 ? [] : [`The submission's own figures of ${domain}: ${shares.join(', ')}.`];
}

interface ReadEpisode {
  readonly entry: ResultsFileEntry;
  readonly costUsd: number | null;
}

async function* readEntries({ path: file, kind }: ProbedFile): AsyncGenerator<ReadEpisode, void, undefined> {
  const format = resultsFormats[0];
  const isList = kind === 'list';
  let info: PyValue = null;
  const others = isList ? [] : ['info'];
  const parts = readItems(openContent(file), file, { list: isList ? '' : 'simulations', others, parse: parseLossless });
  for await (const part of parts) {
    const value = part.value as PyValue;
    if (part.kind === 'member') {
      info = value;
      continue;
    }
    if (isList) {
      const entry = parseValue(resultsEntrySchema, fromFile(value, resultsEntrySchema), file, 'a result of tau-bench');
      yield { entry, costUsd: null };
      continue;
    }
    const read = format?.read(
      new Map<string, PyValue>([
        ['info', info],
        ['tasks', []],
        ['simulations', [value]],
      ]),
    );
    if (typeof read === 'string') throw damagedFileError(file, `it is not a result of τ³-bench (${read})`);
    if (read?.[0] === undefined) continue;
    yield { entry: read[0], costUsd: sumCosts(value) };
  }
}

function parseLossless(text: string, file: string): PyValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw damagedFileError(file, `it is not JSON (${error.message})`);
  }
}

function sumCosts(simulation: PyValue): number | null {
  if (!isDict(simulation)) return null;
  const costs = ['agent_cost', 'user_cost'].map((name) => fromFile(simulation.get(name) ?? null, z.unknown()));
  return costs.every((cost) => typeof cost === 'number') ? costs.reduce((sum, cost) => sum + cost, 0) : null;
}

function toTrial(entry: ResultsFileEntry, costUsd: number | null, prefix: string, options: ReadOptions): RecordedTrial {
  const row = rowOfEntry(entry, 'tools');
  const { trial, outcome, error, steps, turns, durationMs, tools } = row;
  return {
    task: `${prefix}${entry.origin?.taskId ?? String(entry.task_id)}`,
    trial,
    scores: { reward: entry.reward },
    outcome,
    error,
    tokens: null,
    costUsd,
    steps,
    turns,
    durationMs,
    tools,
    messages: options.messages === true ? (entry.traj ?? []) : [],
  };
}
