/** `tauflow run`: the same command starts the run and resumes it. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pack } from '../../src/benchmarks/packs/index.ts';
import { isFinal } from '../../src/evaluation/index.ts';
import { RunLog } from '../../src/run-log/index.ts';
import { program } from '../sweep.ts';
import { toFlags, type Tool } from './tool.ts';

const RUN_ID = 'crashes';

export async function tauflow(pack: Pack): Promise<Tool> {
  const { version } = JSON.parse(await readFile(join(program, '../../../package.json'), 'utf8')) as { version: string };
  return {
    name: 'tauflow run',
    version: `Tauflow ${version}`,
    pack,
    isListedByHand: false,
    command({ tasks, concurrency }) {
      const flags = toFlags({
        'run-id': RUN_ID,
        env: pack.domain,
        pack: pack.ref.path,
        'agent-strategy': 'tool-calling',
        model: 'oracle',
        'model-provider': 'openai',
        'user-model': 'oracle',
        'user-model-provider': 'openai',
        'task-ids': tasks.join(','),
        'max-concurrency': concurrency,
      });
      return { program: process.execPath, args: [program, 'run', ...flags] };
    },
    async read({ folder, tasks }) {
      const log = new RunLog({ logDir: join(folder, 'results'), runId: RUN_ID });
      const records = await Promise.all(tasks.map((taskId) => log.readEpisode({ taskId, trial: 0 })));
      const graded = records.flatMap((record) => record ?? []).filter(({ outcome }) => isFinal(outcome.kind));
      return { rewards: new Map(graded.map(({ taskId, reward }) => [taskId, reward])), scoredZero: 0 };
    },
  };
}
