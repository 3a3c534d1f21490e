/** Agents from files that replace the parts of FastWorkflow, as `tauflow/agents/fastworkflow` offers them. */

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { resolvePack } from '../../src/packs/find.ts';
import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, scratchFolder } from './in-process.ts';
import { endAll, run, type Place } from './processes.ts';

const agents = fileURLToPath(new URL('../fixtures/new-agent/', import.meta.url));
const cwd = scratchFolder();
const SLOW = { timeout: 180_000 };

let model: ScriptedModel;
let place: Place;

beforeAll(async () => {
  for (const name of ['my-fastworkflow.ts', 'own-execution.ts']) cpSync(join(agents, name), join(cwd, name));
  model = await startScriptedModel({ packs: [await resolvePack('retail')] });
  place = { cwd, env: environment({ TAUFLOW_SCRIPTED_URL: model.url }) };
});

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
  await model.close();
});

interface Recorded {
  readonly reward: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly config: { readonly strategy: string };
  readonly steps: readonly { readonly name: string }[];
}

function recorded(runId: string, task: number): Recorded {
  const path = join(cwd, 'results', runId, 'episodes', `task-${task}.trial-0.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as Recorded;
}

const TASKS = [0, 1, 2, 3, 4, 5];

async function play(file: string, runId: string, ...words: string[]): Promise<readonly Recorded[]> {
  const tasks = TASKS.map(String);
  const { code, stdout, stderr } = await run(
    ['run', '--agent-strategy', file, '--task-ids', ...tasks, '--run-id', runId, ...words],
    place,
  );
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/average reward +1\.000/);
  return TASKS.map((task) => recorded(runId, task));
}

const sum = (records: readonly Recorded[], count: string) =>
  records.reduce((total, { counts }) => total + (counts[count] ?? 0), 0);

it('plays with a classifier, a way to perform actions and callbacks of its own', SLOW, async () => {
  const records = await play('./my-fastworkflow.ts', 'parts', '--model', 'oracle+natural', '--parameter-tries', '2');
  expect(records.map(({ config: { strategy } }) => strategy)).toEqual(TASKS.map(() => 'my-fastworkflow'));
  const commands = records.flatMap(({ steps }) => steps.filter(({ name }) => name !== 'respond'));
  // The parts were called for every command that ran, and the classifier found some of them.
  expect(sum(records, 'planned_actions')).toBe(commands.length);
  expect(sum(records, 'reads') + sum(records, 'writes')).toBe(commands.length);
  expect(sum(records, 'writes')).toBeGreaterThan(0);
  expect(sum(records, 'intent_ranked')).toBeGreaterThan(0);
  expect(sum(records, 'calls_before_steps')).toBeGreaterThan(commands.length);
});

it('plays with another way to execute what the agent wrote', SLOW, async () => {
  const records = await play('./own-execution.ts', 'execution', '--model', 'oracle');
  expect(records.every(({ reward }) => reward === 1)).toBe(true);
  // Command understanding with a model was never asked: it counts how it recognizes a command.
  expect(sum(records, 'intent_exact')).toBe(0);
  expect(records.flatMap(({ steps }) => steps).length).toBeGreaterThan(2 * TASKS.length);
});
