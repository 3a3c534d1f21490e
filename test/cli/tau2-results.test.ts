/** Results of τ³-bench's tools, in a file and in a folder, wherever results are read. */

import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { expectSentence, scratchFolder, tauflow } from './in-process.ts';

/** Simulations of 4 tasks × 4 trials: 15 are solved, and infrastructure ended one. */
const SIMULATIONS = Array.from({ length: 16 }, (_, n) => ({
  id: `simulation-${String(n).padStart(2, '0')}`,
  task_id: String(n % 4),
  trial: Math.floor(n / 4),
  termination_reason: n === 5 ? 'infrastructure_error' : 'user_stop',
  reward_info: n === 5 ? null : { reward: 1 },
  messages: n === 5 ? [] : [{ role: 'assistant', content: 'Hi!' }],
}));

const RUN = {
  info: { environment_info: { domain_name: 'retail' } },
  tasks: ['0', '1', '2', '3'].map((id) => ({ id, user_scenario: { instructions: { domain: 'retail' } } })),
  simulation_index: SIMULATIONS.map(({ id }) => ({ id })),
};

/** @returns the folder with `runs/theirs.json`, and the same as the folder `runs/theirs` */
function written(): string {
  const cwd = scratchFolder();
  const folder = join(cwd, 'runs', 'theirs');
  mkdirSync(join(folder, 'simulations'), { recursive: true });
  writeFileSync(join(cwd, 'runs', 'theirs.json'), JSON.stringify({ ...RUN, simulations: SIMULATIONS }));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(RUN));
  for (const each of SIMULATIONS) {
    writeFileSync(join(folder, 'simulations', `${each.id}.json`), JSON.stringify(each));
  }
  return cwd;
}

describe.each(['runs/theirs.json', 'runs/theirs', 'runs/theirs/results.json'])('%s', (subject) => {
  it('is reported as τ³-bench counts: infrastructure errors are left out, and the first screen says so', async () => {
    const cwd = written();
    const { code, stdout } = await tauflow(['report', subject], { cwd });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ *average reward +1\.000 +15 of 15 episodes succeeded; 1 infrastructure error left out, as τ³-bench's/m,
    );
    expect(stdout).toMatch(/pass\^3 +1\.000/);
    expect(stdout).not.toMatch(/pass\^4|0\.938/);
    const all = await tauflow(['report', subject, '--all'], { cwd });
    expect(all.stdout).not.toMatch(/0\.938|errors counted as failures/);
    const { stdout: json } = await tauflow(['report', subject, '--format', 'json'], { cwd });
    expect(JSON.parse(json)).toMatchObject({
      metrics: { run_id: 'theirs', average_reward: 1, counted_as: 'tau3', pass_hat_k: { 1: 1, 3: 1 } },
    });
  });

  it('is compared', async () => {
    const cwd = written();
    writeFileSync(join(cwd, 'other.json'), JSON.stringify({ ...RUN, simulations: SIMULATIONS.slice(0, 4) }));
    const { code, stdout } = await tauflow(['compare', subject, 'other.json'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('no difference shown against theirs: 1.000 → 1.000');
  });
});

describe('a folder of τ³-bench’s tools', () => {
  it('is refused where simulations that it lists are missing', async () => {
    const cwd = written();
    const simulations = join(cwd, 'runs', 'theirs', 'simulations');
    renameSync(join(simulations, 'simulation-03.json'), join(simulations, 'another.json'));
    for (const words of [
      ['report', 'runs/theirs'],
      ['regrade', 'runs/theirs'],
      ['errors', 'runs/theirs'],
    ]) {
      const sentence =
        /does not fit .*results\.json: 1 of the simulations listed there are missing, and 1 are not listed/;
      expectSentence(await tauflow(words, { cwd }), 2, sentence);
    }
  });

  it('is found by its name alone', async () => {
    const { stdout } = await tauflow(['report', 'theirs'], { cwd: join(written(), 'runs') });
    expect(stdout).toContain('15 of 15 episodes');
  });
});
