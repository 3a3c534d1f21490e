/**
 * `inspect eval-set` with its cache of model output: the same command starts the set and continues it, and an episode
 * that begins again takes its earlier answers from the cache.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pack } from '../../src/benchmarks/packs/index.ts';
import { readOutput, type Tool } from './tool.ts';

const task = fileURLToPath(new URL('./inspect_task.py', import.meta.url));

/** @param dir a checkout of tau-bench. @returns null where the Python lacks inspect-ai, openai or what tau-bench needs */
export function inspect(python: string, dir: string, pack: Pack): Tool | null {
  const env = { PYTHONPATH: dir };
  const version = readOutput({
    program: python,
    args: ['-c', 'import openai, tau_bench.envs.retail, importlib.metadata as m; print(m.version("inspect_ai"))'],
    env,
  });
  if (version === null) return null;
  return {
    name: 'inspect eval-set',
    version: `inspect-ai ${version}`,
    pack,
    isListedByHand: false,
    command({ folder, tasks, concurrency }) {
      return {
        program: python,
        args: [
          ...['-m', 'inspect_ai', 'eval-set', `${task}@retail`, '--model', 'openai/oracle', '--display', 'plain'],
          // Chat completions, as the others.
          ...['-M', 'responses_api=false'],
          ...['--log-dir', join(folder, 'logs'), '--max-samples', String(concurrency)],
          ...['--cache', '1D', '--continue-on-fail', '--log-buffer', '1', '-T', `tasks='${tasks.join(' ')}'`],
        ],
        env,
      };
    },
    read({ folder }) {
      const logs = join(folder, 'logs');
      const printed = existsSync(logs) ? readOutput({ program: python, args: [task, logs], env }) : '{}';
      const ended = Object.entries(JSON.parse(printed ?? '{}') as Record<string, number | null>);
      const graded = ended.flatMap(([id, reward]) => (reward === null ? [] : [[Number(id), reward] as const]));
      return { rewards: new Map(graded), scoredZero: 0 };
    },
  };
}
