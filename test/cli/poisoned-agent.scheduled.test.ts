/**
 * An agent from a file that loops on one task: the end of its run, and of the resumed one. The loop takes minutes of CPU
 * time; `stuck-episodes.server.test.ts` has such episodes ended by the sweep.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { stopServer } from '../../src/temporal/server/index.ts';
import { impatientCli } from '../helpers/impatient-server.ts';
import { environment, scratchFolder, type Ended, type Place } from './in-process.ts';
import { endAll, runApart, start } from './processes.ts';

const cwd = scratchFolder();
const file = join(cwd, 'loops.ts');
const RUN = 'run --agent-strategy ./loops.ts --model oracle --task-ids 1 2 --run-id poisoned'.split(' ');
/** Code by which the scripted user's opening names task 1. */
const AGENT = `
import { toolCaller, type StrategyDefinition } from 'tauflow/agents';

const usual = toolCaller({ name: 'loops', label: 'Loops' }, () => [{ ref: 'policy' }]);
const loops: StrategyDefinition = {
  ...usual,
  solve: async (session, options) => {
    if (session.firstMessage.startsWith('Hello, could you help me')) for (;;);
    return usual.solve(session, options);
  },
};
export default loops;
`;
const BECAUSE = 'the workflow code of agent loops failed';

let model: ScriptedModel;
/** Its server tries a failed workflow task again at once. */
let place: Place;

beforeAll(async () => {
  writeFileSync(file, AGENT);
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  place = { cwd, env: environment({ TAUFLOW_SCRIPTED_URL: model.url, TEMPORAL_CLI_PATH: await impatientCli(cwd) }) };
});

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
  await model.close();
});

function outcomeOf(task: number): unknown {
  const path = join(cwd, 'results', 'poisoned', 'episodes', `task-${task}.trial-0.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly outcome: unknown }).outcome;
}

function expectEnd({ code, stdout, stderr }: Ended): void {
  expect(code, stderr).toBe(1);
  expect(stderr).not.toMatch(/async hook stack/);
  expect(stdout).toMatch(/infrastructure/);
  expect(outcomeOf(1)).toEqual({
    kind: 'infrastructure_error',
    error: 'EpisodeLost',
    message: expect.stringMatching(`^task-1.trial-0 was ended: ${BECAUSE} \\d+ times, .* \\(${file}\\)$`) as string,
  });
  expect(outcomeOf(2)).toEqual({ kind: 'user_stop' });
}

const SLOW = { timeout: 400_000 };

it('ends the run with the other episodes played, and the one that loops named with its agent', SLOW, async () => {
  expectEnd(await runApart(RUN, place));
});

it('ends the resumed run as well, at once when the episode is cancelled', SLOW, async () => {
  const resumed = start(['run', '--run-id', 'poisoned'], place);
  await resumed.says(/run started/);
  // Not before it loops.
  await delay(15_000);
  const { code, stderr } = await runApart(['cancel', 'poisoned', 'task-1.trial-0'], place);
  expect(code, stderr).toBe(0);
  expect(stderr).toContain(BECAUSE);
  expectEnd(await resumed.ended);
});
