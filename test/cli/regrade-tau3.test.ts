/** `regrade` on results files of τ³-bench, with a pack of our own. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { tau3Importer } from '../../src/pack-tools/import-tau3/index.ts';
import { writePack } from '../../src/benchmarks/packs/index.ts';
import { writeTau3Folder } from '../helpers/tau3-checkout.ts';
import { scratchFolder, tauflow } from './in-process.ts';

const cancel = { id: '1', name: 'cancel_pending_order', arguments: { order_id: '#W1', reason: 'no longer needed' } };
const assistant = (content: string | null, tool_calls?: object[]) => ({ role: 'assistant', content, tool_calls });

/** A simulation of the task "0": the agent makes the calls, and says the text. */
function simulation(trial: number, reward: number, calls: readonly object[], said: string, end = 'user_stop') {
  return {
    id: String(trial),
    task_id: '0',
    trial,
    start_time: '2026-01-01',
    end_time: '2026-01-01',
    duration: 1,
    termination_reason: end,
    reward_info: { reward },
    messages: [
      assistant('Hi! How can I help you today?'),
      { role: 'user', content: 'Cancel it.' },
      ...calls.map((call) => assistant(null, [call])),
      assistant(said),
      { role: 'user', content: '###STOP###' },
    ],
  };
}

async function regraded(simulations: readonly object[]) {
  const cwd = scratchFolder();
  const checkout = await writeTau3Folder(join(cwd, 'tau2-bench'));
  const { packs } = await tau3Importer.read(checkout, 'it', { domains: ['tau3-retail'] });
  const home = { TAUFLOW_HOME: join(cwd, 'home') };
  for (const pack of packs) await writePack(join(cwd, 'home', 'packs', pack.manifest.name), pack);
  const info = { environment_info: { domain_name: 'retail', policy: '' } };
  const file = { info, tasks: [{ id: '0', user_scenario: { instructions: {} } }], simulations };
  writeFileSync(join(cwd, 'theirs.json'), JSON.stringify(file));
  const words = ['regrade', 'theirs.json', '--json'];
  const ended = await tauflow(words, { cwd, env: home });
  return { ...ended, document: JSON.parse(ended.stdout || 'null') as { records: readonly object[] } };
}

describe('regrade of a results file of τ³-bench', () => {
  it('counts the reward by the task’s basis, on the pack of the file’s domain', async () => {
    const { code, stderr, document } = await regraded([
      simulation(0, 1, [cancel], 'You get 10 back.'),
      simulation(1, 0, [], 'You get 10 back.'),
      simulation(2, 0, [cancel], 'Done.'),
      simulation(3, 0, [cancel], 'You get 10 back.', 'max_steps'),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(document).toMatchObject({ env: 'tau3-retail', split: 'base', summary: { rewards_equal: 4 } });
    expect(document.records).toMatchObject([
      { replayed_reward: 1, reasons: [] },
      { replayed_reward: 0, reasons: [expect.stringContaining('orders #W1 (status')] },
      { replayed_reward: 0, reasons: ['outputs missing: "10"'] },
      { replayed_reward: 0, ending: 'not_done' },
    ]);
  });

  it('exits with 1 where the file has another reward', async () => {
    const { code, document } = await regraded([simulation(0, 1, [], 'You get 10 back.')]);
    expect(code).toBe(1);
    expect(document.records).toMatchObject([{ recorded_reward: 1, replayed_reward: 0 }]);
  });
});
