/**
 * tau-bench's `run.py`. It continues nothing: a person runs it again with `--task-ids` for the tasks that its results
 * files lack or have with an error.
 */

import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pack } from '../../src/benchmarks/packs/index.ts';
import type { ReferencePlace } from '../reference-rows.ts';
import { readOutput, readVersion, toFlags, type Tool } from './tool.ts';

/** The fields that are read of an entry of its results file. */
interface Entry {
  readonly task_id: number;
  readonly reward: number;
  readonly info: { readonly error?: string };
}

export async function tauBench({ dir, python }: ReferencePlace, pack: Pack): Promise<Tool> {
  const litellm = readOutput({
    program: python,
    args: ['-c', 'import importlib.metadata as m; print(m.version("litellm"))'],
  });
  return {
    name: 'run.py',
    version: `tau-bench ${await readVersion(pack)}, LiteLLM ${litellm}`,
    pack,
    isListedByHand: true,
    command({ folder, concurrency, left }) {
      const flags = toFlags({
        'agent-strategy': 'tool-calling',
        env: 'retail',
        model: 'oracle',
        'model-provider': 'openai',
        'user-model': 'oracle',
        'user-model-provider': 'openai',
        'user-strategy': 'llm',
        'max-concurrency': concurrency,
        'log-dir': join(folder, 'results'),
      });
      return {
        program: python,
        args: [join(dir, 'run.py'), ...flags, '--task-ids', ...left.map(String)],
        env: { PYTHONPATH: dir },
      };
    },
    async read({ folder }) {
      const results = join(folder, 'results');
      const files = existsSync(results) ? await readdir(results) : [];
      const entries = (await Promise.all(files.map((file) => readEntries(join(results, file))))).flat();
      const graded = entries.filter(({ info }) => info.error === undefined);
      return {
        rewards: new Map(graded.map((entry) => [entry.task_id, entry.reward])),
        scoredZero: entries.length - graded.length,
      };
    },
  };
}

/** @returns none of a file that breaks off, because a crash came while it was written */
async function readEntries(file: string): Promise<readonly Entry[]> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Entry[];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
