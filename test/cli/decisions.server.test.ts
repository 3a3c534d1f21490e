/** Output of `--decision-only` at its end: planned actions, and no score. */

import { describe, expect, it } from 'vitest';

import { PyFloat, type PyValue } from '../../src/benchmark/python/value.ts';
import type { Action } from '../../src/benchmark/types.ts';
import { publishRun, reportOfRun } from '../../src/results/report/load.ts';
import { buildEpisodeRecord } from '../../src/results/log/record.ts';
import type { Outcome } from '../../src/wire/episode.ts';
import { CONTEXT, recordInput } from '../results/fixtures.ts';
import { scratchFolder, tauflow } from './in-process.ts';
import { recordedRun } from './recorded-run.ts';

const LOOK: Action = { name: 'get_order_details', kwargs: new Map([['order_id', '#W1']]) };
const PAY: Action = {
  name: 'pay',
  kwargs: new Map<string, PyValue>([
    ['amount', new PyFloat(131)],
    ['note', 'für dich'],
    ['10', 1n],
  ]),
};

type Episode = readonly [taskId: number, outcome: Outcome, actions: readonly Action[]];

/** Tasks 1 and 2 of a run that only decides; what each episode came to, by task. */
async function decidedRun(episodes: readonly Episode[]) {
  const cwd = scratchFolder();
  const options = { agentStrategy: 'fastworkflow', decisionOnly: true, taskIds: '1,2', compat: 'fastworkflow-labels' };
  const run = await recordedRun(cwd, options, 'completed');
  for (const [taskId, outcome, actions] of episodes) {
    const input = recordInput({
      run: run.request.run,
      config: run.request.config,
      episode: { taskId, trial: 0 },
      outcome,
      reward: 0,
      grade: null,
      steps: [],
    });
    await run.log.writeEpisode(buildEpisodeRecord(input, { ...CONTEXT, actions }));
  }
  return { cwd, log: run.log };
}

const DECIDED: readonly Episode[] = [
  [2, { kind: 'decision_only' }, [PAY]],
  [1, { kind: 'decision_only' }, [LOOK, PAY]],
];

describe('a run that only decides', () => {
  it('prints the planned actions alone, numbers spelt as they were, and says that there is no score', async () => {
    const { cwd } = await decidedRun(DECIDED);
    const { code, stdout, stderr } = await tauflow(['run', '--run-id', 'mine'], { cwd });
    expect(code).toBe(0);
    const pay = { name: 'pay', kwargs: { amount: 131, note: 'für dich', '10': 1 } };
    expect(JSON.parse(stdout)).toEqual([
      { task_id: 1, trial: 0, actions: [{ name: 'get_order_details', kwargs: { order_id: '#W1' } }, pay] },
      { task_id: 2, trial: 0, actions: [pay] },
    ]);
    expect(stdout).toMatch(/"amount": 131\.0,\s+"note": .*\s+"10": 1\s/);
    expect(stderr).toContain('no action was taken, and there is no score');
    expect(stderr).toContain('run log');
  });

  it('has its decisions in the one document of --json', async () => {
    const { cwd } = await decidedRun(DECIDED);
    const { code, stdout } = await tauflow(['run', '--run-id', 'mine', '--json'], { cwd });
    expect(code).toBe(0);
    const document = JSON.parse(stdout) as object;
    expect(document).toMatchObject({
      subject: { run_id: 'mine', variants: ['fastworkflow-labels', 'decisions only'] },
      metrics: { average_reward: null, pass_hat_k: {}, episodes: 2, decided: 2, leaderboard_row: null },
      decisions: [
        { task_id: 1, trial: 0 },
        { task_id: 2, trial: 0 },
      ],
    });
    expect(document).toHaveProperty('files.run_log');
  });

  it('leaves out what came to no decision, and fails for it where infrastructure was the reason', async () => {
    const broken: Outcome = { kind: 'infrastructure_error', error: 'RateLimited', message: 'too many calls' };
    const { cwd } = await decidedRun([
      [1, { kind: 'decision_only' }, []],
      [2, { kind: 'agent_error', error: 'unparsable_reply', message: 'no reply' }, [LOOK]],
    ]);
    const { code, stdout, stderr } = await tauflow(['run', '--run-id', 'mine'], { cwd });
    expect(stderr).toContain('task 2, trial 0 came to no decision: no reply');
    expect({ code, decisions: JSON.parse(stdout) as unknown }).toEqual({
      code: 0,
      decisions: [{ task_id: 1, trial: 0, actions: [] }],
    });
    // What infrastructure has ended is run again, so this goes on to a server, and there is none.
    const again = await decidedRun([[1, broken, []]]);
    expect((await tauflow(['run', '--run-id', 'mine'], { cwd: again.cwd })).code).toBe(3);
  });

  it('has no score in a report either', async () => {
    const { cwd, log } = await decidedRun(DECIDED);
    await publishRun(log, () => undefined);
    const report = await reportOfRun(log);
    expect(report.tasks.map(({ rewards, passRate }) => ({ rewards, passRate }))).toEqual([
      { rewards: [null], passRate: null },
      { rewards: [null], passRate: null },
    ]);
    for (const format of ['table', 'markdown']) {
      const { stdout } = await tauflow(['report', 'mine', '--format', format], { cwd });
      expect(stdout).toContain('no action was taken, and there is no score');
      expect(stdout).not.toMatch(/average reward|pass\^1|eaderboard/);
    }
  });
});
