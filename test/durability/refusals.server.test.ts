/** Refusals of workers, runs that are terminated or canceled, and agent services that are killed. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import getPort from 'get-port';
import { WORKFLOW_VERSION } from '../../src/evaluation/index.ts';
import { printed } from '../cli/in-process.ts';
import { tally, paidAgain } from './calls.ts';
import { clientOf } from './fleet.ts';
import { Place } from './place.ts';
import { Tauflow, type Surroundings } from './processes.ts';
import { readRunData } from './run-log.ts';
import { ScriptedProcess } from './scripted-process.ts';
import { AgentOfCommand } from './chaos/agent-of-command.ts';

/** Generous: a shared machine slows processes down, and a test that hangs says where by its own waits. */
vi.setConfig({ testTimeout: 300_000 });

let place: Place;

beforeAll(async () => {
  place = await Place.make();
});

afterAll(async () => {
  await place.clear();
});

describe('a worker', () => {
  it.each([
    ['in the memo', { memo: { workflowVersion: WORKFLOW_VERSION + 1 }, args: [{}] }],
    ['in the input', { args: [{ version: WORKFLOW_VERSION + 1 }] }],
  ])('refuses a task queue with a sweep of newer code, as it says %s', async (where, options) => {
    const { connection, workflow } = await clientOf(place);
    const taskQueue = `newer ${where}`;
    const handle = await workflow.start('sweep', { workflowId: `newer-${where.at(-1)}`, taskQueue, ...options });
    // The visibility store hears of a workflow a moment later.
    await expect
      .poll(() => workflow.count(`TaskQueue = '${taskQueue}'`), { timeout: 10_000 })
      .toMatchObject({ count: 1 });
    expect(await printed(['worker', '--task-queue', taskQueue], place.surroundings(), 2)).toContain(
      `error: the run ${handle.workflowId}, under way on the task queue ${taskQueue}, was started by newer code ` +
        `(workflow version ${WORKFLOW_VERSION + 1}, this program has ${WORKFLOW_VERSION})`,
    );
    await handle.terminate();
    await connection.close();
  });

  it('leaves the calls of a provider alone whose key it has not got, and refuses when it is to make them', async () => {
    const surroundings = place.surroundings();
    const env = { ...surroundings.env, OPENAI_API_KEY: '' };
    const without = Tauflow.start(['worker', '--task-queue', 'keyless'], { ...surroundings, env });
    const [, served = ''] = await without.says(/worker on .*, providers (.*)\n/);
    expect(without.printed).toMatch(/calls left to other workers, their keys are not set here: .*openai/);
    expect(served).not.toContain('openai');
    expect(served).toContain('scripted');

    const asked = await printed(['worker', '--providers', 'scripted,openai'], { ...surroundings, env }, 2);
    expect(asked).toMatch(/error: --providers openai: OPENAI_API_KEY is not set/);
  });
});

/** A judge in a real process that is killed in the middle: the same command goes on where it was. */
describe('the judge', () => {
  it('loses no verdict when it is killed, and pays again only what was under way', async ({ annotate }) => {
    const model = await ScriptedProcess.start('judged', place.surroundings());
    const surroundings = place.surroundings(model.url);
    const flags = ['--model', 'oracle:0', '--model-provider', 'scripted', '--end-index', '8', '--max-concurrency', '8'];
    await printed(['run', '--run-id', 'judged', ...flags], surroundings);
    const played = (await model.calls()).length;

    // Two episodes at a time, two questions each: three are judged when the fourth and fifth wait for an answer.
    await model.holdAfter(played + 7);
    const judge = ['errors', 'judged', '--max-concurrency', '2'];
    const first = Tauflow.start(judge, surroundings);
    await model.until(first, ({ held }) => held === 2);
    await first.kill();
    const underWay = (await model.calls()).slice(-2).map(({ digest }) => digest);
    await model.holdAfter(null);
    await printed(judge, surroundings);

    const calls = (await model.calls()).slice(played);
    const again = [...tally(calls)].filter(([, count]) => count > 1).map(([digest]) => digest);
    await annotate(`${calls.length} calls of the judge, ${again.length} paid again after one kill`);
    expect(tally(calls).size).toBe(16);
    expect(underWay).toEqual(expect.arrayContaining(again));
    const text = await readFile(join(place.folder, 'results', 'judged', 'errors.json'), 'utf8');
    const document = JSON.parse(text) as { fault_assignment_analysis: { task_id: number }[]; judge: { calls: number } };
    expect(document.fault_assignment_analysis.map(({ task_id: id }) => id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(document.judge.calls).toBe(16);
    await model.end();
  });
});

/** A sweep that somebody terminates on the server: what its run says, and what is paid again when it is resumed. */
describe('a sweep that somebody terminates on the server', () => {
  const AT_ONCE = 3;
  const FLAGS = [
    ...['--agent-strategy', 'tool-calling', '--model', 'oracle:0.8', '--model-provider', 'scripted'],
    ...['--start-index', '0', '--end-index', '4', '--num-trials', '1', '--max-concurrency', String(AT_ONCE)],
  ];

  /** Makes an undisturbed run and holds the calls of a second one in its middle. */
  async function heldRun(id: string, flags: readonly string[] = FLAGS) {
    const model = await ScriptedProcess.start(id, place.surroundings());
    const surroundings = place.surroundings(model.url);
    await printed(['run', '--run-id', `calm-${id}`, ...flags], surroundings);
    const wanted = (await model.calls()).length;

    await model.holdAfter(wanted + Math.floor(wanted / 2));
    const first = Tauflow.start(['run', '--run-id', id, ...flags], surroundings);
    await model.until(first, ({ held }) => held === AT_ONCE);
    return { model, surroundings, wanted, first, resume: ['resume', id] };
  }

  /** Resumes a held run to its end. @returns what the second command printed, and how many calls were made again */
  async function resumed(id: string, { model, surroundings, wanted, resume }: Awaited<ReturnType<typeof heldRun>>) {
    await model.holdAfter(null);
    const said = await printed(resume, surroundings);
    const [now, calm] = [await readRunData(place.folder, id), await readRunData(place.folder, `calm-${id}`)];
    expect(now.results).toBe(calm.results);
    expect(now.calls).toBe(calm.calls);
    return { printed: said, again: (await model.calls()).length - 2 * wanted };
  }

  // One that had made no call yet has none to use again.
  const REUSED = /resumed +\d+ episodes? without a result (?:is|are) resumed: (\d+) calls? .* are not paid again/;

  it('is shown as terminated, and pays no finished call again, as it says first', async () => {
    const held = await heldRun('ended');
    const { connection, workflow } = await clientOf(place);
    await workflow.getHandle('ended').terminate('test');
    expect(await held.first.ended, held.first.printed).toMatchObject({ code: 3 });
    expect(held.first.printed).toContain('finished episodes are recorded, finished calls of open ones are kept');

    const stopped = `its workflow was terminated on the server; continue with: npx tauflow resume ended`;
    expect(await printed(['status', 'ended'], place.surroundings())).toMatch(/^status +terminated$/m);
    expect(await printed(['status', 'ended'], place.surroundings())).toContain(stopped);
    await vi.waitFor(async () => expect(await printed(['list'], place.surroundings())).toMatch(/ended\W+terminated/), {
      timeout: 20_000,
      interval: 1_000,
    });
    expect(await printed(['list'], place.surroundings())).toContain(`ended: ${stopped}`);

    const after = await resumed('ended', held);
    expect(Number(REUSED.exec(after.printed)?.[1]), after.printed).toBeGreaterThan(0);
    // The calls that were in progress are paid again.
    expect(after.again, after.printed).toBeLessThanOrEqual(AT_ONCE);
    expect(await printed(['report', 'ended'], place.surroundings())).not.toContain('superseded');
    await connection.close();
    await held.model.end();
  });

  it('pays no finished call again when it is canceled twice, for a strategy with several models', async () => {
    const flags = [...FLAGS, '--agent-strategy', 'fastworkflow'];
    const held = await heldRun('stopped', flags);
    expect(await printed(['cancel', 'stopped'], place.surroundings())).toContain('cancel');
    await held.first.ended;
    const made = (await held.model.calls()).length;
    await held.model.holdAfter(made + 6);
    const second = Tauflow.start(held.resume, held.surroundings);
    await held.model.until(second, ({ held: now }) => now === AT_ONCE);
    expect(await printed(['cancel', 'stopped'], place.surroundings())).toContain('cancel');
    await second.ended;

    const after = await resumed('stopped', held);
    expect(Number(REUSED.exec(after.printed)?.[1]), after.printed).toBeGreaterThan(0);
    expect(after.again, after.printed).toBeLessThanOrEqual(2 * AT_ONCE);
    await held.model.end();
  });

  it('pays the calls of open episodes again where their histories are gone, as it says first', async () => {
    const held = await heldRun('forgotten');
    const { connection, workflow, workflowService } = await clientOf(place);
    await workflow.getHandle('forgotten').terminate('test');
    await held.first.ended;
    // The worker of the first command has gone: another one records that the episodes were canceled.
    const worker = Tauflow.start(['worker'], held.surroundings);
    const open = async () => {
      const ids: { readonly workflowId: string; readonly runId: string }[] = [];
      for await (const { workflowId, runId } of workflow.list({ query: "ExecutionStatus = 'Running'" })) {
        if (workflowId.startsWith('forgotten/')) ids.push({ workflowId, runId });
      }
      return ids;
    };
    await vi.waitFor(async () => expect(await open()).toEqual([]), { timeout: 60_000, interval: 500 });
    for await (const { workflowId, runId } of workflow.list({ query: "ExecutionStatus = 'Canceled'" })) {
      if (!workflowId.startsWith('forgotten/')) continue;
      const execution = { workflowId, runId };
      await workflowService.deleteWorkflowExecution({ namespace: 'default', workflowExecution: execution });
      // The server deletes in the background.
      const history = () => workflow.getHandle(workflowId, runId).fetchHistory();
      await vi.waitFor(() => expect(history()).rejects.toThrow(), { timeout: 60_000, interval: 500 });
    }
    await worker.terminate();
    const after = await resumed('forgotten', held);
    const [, announced] = /resumed +\d+ episodes? .* again: (\d+) calls? .* are paid again/.exec(after.printed) ?? [];
    expect(after.again - Number(announced), after.printed).toBeGreaterThanOrEqual(0);
    expect(after.again - Number(announced), after.printed).toBeLessThanOrEqual(AT_ONCE);
    await connection.close();
    await held.model.end();
  });
});

const AGENT = fileURLToPath(new URL('../../examples/node-agent/agent.mjs', import.meta.url));
const AT_ONCE = 4;
const STUB = fileURLToPath(new URL('../../adapters/fastworkflow/tests/stub', import.meta.url));
const python = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
if (!python) console.warn('Tests of adapters/fastworkflow are skipped: there is no python3 of version 3.11 or newer.');
let port: number;
let agent: ChildProcess | undefined;

beforeAll(async () => {
  port = await getPort();
});

afterAll(() => {
  agent?.kill('SIGKILL');
});

async function startAgent(): Promise<void> {
  agent = spawn('node', [AGENT, String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (agent.stdout !== null) await once(agent.stdout, 'data');
}

async function killAgent(): Promise<void> {
  if (agent === undefined) return;
  agent.kill('SIGKILL');
  await once(agent, 'exit');
}

/** The agent knows nothing of the kills, and the run ends as an undisturbed one. */
describe('a run whose agent is a service', () => {
  it('survives the death of agent, worker and server, without a completed call paid twice', async ({ annotate }) => {
    await startAgent();
    const flags = ['--agent-url', `http://127.0.0.1:${port}`, '--end-index', '8', '--max-concurrency', String(AT_ONCE)];
    const calm = await ScriptedProcess.start('calm', place.surroundings());
    await printed(['run', '--run-id', 'calm', '--task-queue', 'calm', ...flags], place.surroundings(calm.url));
    const expected = { data: await readRunData(place.folder, 'calm'), calls: await calm.calls() };
    await calm.end();

    const model = await ScriptedProcess.start('killed', place.surroundings());
    const sixth = Math.floor(expected.calls.length / 6);
    const waiting = (run: Tauflow) => model.until(run, ({ held }) => held === AT_ONCE);
    const lastCalls = async () => (await model.calls()).slice(-AT_ONCE).map(({ digest }) => digest);

    await model.holdAfter(sixth);
    const first = Tauflow.start(['run', '--run-id', 'killed', ...flags], place.surroundings(model.url));
    const resume = await first.resumeCommand();
    await waiting(first);
    await killAgent();
    await model.holdAfter(2 * sixth);
    await startAgent();

    await waiting(first);
    const underWay = await lastCalls();
    await first.kill();
    await model.holdAfter(3 * sixth);
    const second = Tauflow.type(resume, place.surroundings(model.url));
    await model.until(second, ({ completions }) => completions > 2 * sixth + AT_ONCE);

    await waiting(second);
    underWay.push(...(await lastCalls()));
    await Promise.all([second.kill(), place.killServer(), killAgent()]);
    await startAgent();
    await model.holdAfter(null);
    const third = Tauflow.type(resume, place.surroundings(model.url));
    expect(await third.ended, third.printed).toMatchObject({ code: 0 });

    const data = await readRunData(place.folder, 'killed');
    const again = paidAgain(await model.calls(), expected.calls);
    await annotate(
      `${expected.calls.length} calls undisturbed; of ${underWay.length} under way, ${again.length} were made again`,
    );
    expect(data.results).toBe(expected.data.results);
    expect(underWay).toEqual(expect.arrayContaining(again));
    expect(data.calls).toBe(expected.calls.length);
    for (const [name, record] of Object.entries(expected.data.episodes)) {
      const { actions, steps, reward } = record as Record<string, unknown>;
      expect(data.episodes[name], name).toMatchObject({ actions, reward });
      expect((data.episodes[name] as { steps: unknown[] }).steps, name).toHaveLength((steps as unknown[]).length);
    }
    await model.end();
  });
});

function surroundings(model: ScriptedProcess): Surroundings {
  const { cwd, env } = place.surroundings(model.url);
  const stub = { PYTHONPATH: STUB, PYTHONDONTWRITEBYTECODE: '1', TAUFLOW_FASTWORKFLOW_WORKFLOW: 'workflow' };
  return { cwd, env: { ...env, ...stub, TAUFLOW_FASTWORKFLOW_PYTHON: 'python3' } };
}

/** Uses a stub of the package. The adapter is killed while a model call is under way, and the whole command after it. */
describe.skipIf(!python)('the adapter of fastworkflow-python', () => {
  beforeAll(() => {
    // The adapter takes a workflow with these files for a trained one.
    mkdirSync(join(place.folder, 'workflow', '_commands'), { recursive: true });
    mkdirSync(join(place.folder, 'workflow', '___command_info'));
    writeFileSync(join(place.folder, 'workflow', '___command_info', 'tinymodel.pth'), '');
  });

  it('is started again when it dies, and leaves with a command that is killed', async () => {
    const flags = ['--agent-strategy', 'fastworkflow-python', '--model', 'oracle', '--end-index', '1'];
    const calm = await ScriptedProcess.start('calm-python', place.surroundings());
    await printed(['run', '--run-id', 'calm-python', '--task-queue', 'calm', ...flags], surroundings(calm));
    const expected = await calm.calls();
    await calm.end();

    const model = await ScriptedProcess.start('killed-python', place.surroundings());
    await model.holdAfter(1);
    const run = Tauflow.start(['run', '--run-id', 'killed-python', ...flags], surroundings(model));
    const resume = await run.resumeCommand();
    const adapter = new AgentOfCommand(run);
    await model.until(run, ({ held }) => held === 1);
    expect(adapter.kill(1, '')).toBe(1);
    await run.says(/the adapter of fastworkflow-python has ended with SIGKILL; it is started again/);
    await model.holdAfter(2);
    await model.until(run, ({ completions, held }) => completions === 3 && held === 1);
    const [pid = 0] = adapter.pids;
    await run.kill();
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 30_000, interval: 50 });

    await model.holdAfter(null);
    const resumed = Tauflow.type(resume, surroundings(model));
    expect(await resumed.ended, resumed.printed).toMatchObject({ code: 0 });
    const [before, after] = [
      await readRunData(place.folder, 'calm-python'),
      await readRunData(place.folder, 'killed-python'),
    ];
    expect(after.results).toBe(before.results);
    // The call that was under way when the command died, with its worker, is made again.
    expect((await model.calls()).length - expected.length).toBeLessThanOrEqual(1);
    await model.end();
  });
});
