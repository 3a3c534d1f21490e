/** `tau2 run --auto-resume`: the same command starts the run and continues it. */

import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pack } from '../../src/benchmarks/packs/index.ts';
import { readVersion, toFlags, type Tool } from './tool.ts';

/** The fields that are read of its results file. */
interface Tau2Results {
  readonly simulations: readonly {
    readonly task_id: string;
    readonly termination_reason: string;
    readonly reward_info: { readonly reward: number } | null;
  }[];
}

/** @param checkout that has its data */
export async function tau2(python: string, checkout: string, pack: Pack): Promise<Tool> {
  return {
    name: 'tau2 run',
    version: `tau2 ${await readVersion(pack)}`,
    pack,
    isListedByHand: false,
    async command({ folder, tasks, concurrency }) {
      const data = join(folder, 'data');
      if (!existsSync(data)) {
        // It writes its results beside its data.
        await mkdir(data);
        await symlink(join(checkout, 'data', 'tau2'), join(data, 'tau2'));
      }
      const flags = toFlags({
        domain: 'retail',
        'agent-llm': 'openai/oracle',
        'user-llm': 'openai/oracle',
        'max-concurrency': concurrency,
        // Enough for an outage of a minute: each is a further attempt at the whole episode.
        'max-retries': 10,
        'retry-delay': 10,
        'save-to': 'crashes',
      });
      return {
        program: python,
        args: ['-m', 'tau2.cli', 'run', '--auto-resume', ...flags, '--task-ids', ...tasks.map(String)],
        env: { TAU2_DATA_DIR: data },
      };
    },
    async read({ folder }) {
      const file = join(folder, 'data', 'simulations', 'crashes', 'results.json');
      if (!existsSync(file)) return { rewards: new Map(), scoredZero: 0 };
      const { simulations } = JSON.parse(await readFile(file, 'utf8')) as Tau2Results;
      const graded = simulations.filter(({ termination_reason: reason }) => reason !== 'infrastructure_error');
      return {
        rewards: new Map(graded.map((one) => [Number(one.task_id), one.reward_info?.reward ?? 0])),
        scoredZero: 0,
      };
    },
  };
}
