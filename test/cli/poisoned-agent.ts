/** A folder, its agent from a file that loops on one task, and how a run of it ends. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/benchmarks/testing.ts';
import { stopServer } from '../../src/temporal/server/index.ts';
import { impatientCli } from '../helpers/impatient-server.ts';
import { environment, scratchFolder, type Ended } from './in-process.ts';
import { endAll, type Place } from './processes.ts';

const cwd = scratchFolder();
const file = join(cwd, 'loops.ts');
export const RUN = 'run --agent-strategy ./loops.ts --model oracle --task-ids 1 2 --run-id poisoned'.split(' ');
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
export const BECAUSE = 'the workflow code of agent loops failed';

let model: ScriptedModel;
/** Its server tries a failed workflow task again at once. */
export let place: Place;

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

export function expectEnd({ code, stdout, stderr }: Ended): void {
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
