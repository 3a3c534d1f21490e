/** Commands that answer: `tauflow serve`, and `tauflow chat` with a human user. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Role, TaskState, type Message, type Task } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, type Client } from '@a2a-js/sdk/client';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it, beforeAll } from 'vitest';
import { stopServer } from '../../src/temporal/server/index.ts';
import { environment, expectSentence, scratchFolder, tauflow, inProcessContext, serverOfTests } from './in-process.ts';
import { endAll, start, type Started } from './processes.ts';
import { modelAgent } from './serve/model-agent.ts';
import { runProgram } from '../../src/cli/testing.ts';
import { formatCaseCode } from '../../src/scripted-model/case-code.ts';
import { formatPackKey, resolvePack } from '../../src/benchmarks/testing.ts';
import { episodeWorkflowId, taskQueues } from '../../src/evaluation/index.ts';
import { asked, HUMAN_USER, say } from '../workflows/people.ts';
import { startScriptedCaller, type ScriptedCaller } from '../workflows/scripted.ts';
import { tasks } from '../workflows/sweep-rig.ts';
import { steered, type Steered } from './steered.ts';

const cwd = scratchFolder();

afterAll(async () => {
  await endAll();
  await stopServer(cwd);
});

async function serve(): Promise<{ readonly served: Started; readonly url: string }> {
  let listening: (url: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => (listening = resolve));
  const served = start(['serve', 'a2a', '--port', '0'], { cwd, env: environment() }, undefined, (line) => {
    const url = /http:\/\/[\d.:]+/.exec(line)?.[0];
    if (url !== undefined) listening(url);
  });
  return { served, url: await address };
}

async function clientOf(url: string, version: '1.0' | '0.3'): Promise<Client> {
  const legacyCompat = { enabled: true };
  const resolver = new DefaultAgentCardResolver({ legacyCompat });
  const card = await resolver.resolve(url);
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  const transports = [new JsonRpcTransportFactory({ legacyCompat })];
  return await new ClientFactory({ transports, cardResolver: resolver }).createFromAgentCard({
    ...card,
    supportedInterfaces,
  });
}

function asking(words: string): Message {
  return {
    ...{ messageId: crypto.randomUUID(), contextId: '', taskId: '', role: Role.ROLE_USER },
    parts: [{ content: { $case: 'text', value: words }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
}

const request = (words: string, returnImmediately = false) => ({
  ...{ tenant: '', message: asking(words), metadata: undefined },
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
});

function figuresIn({ artifacts }: Task): { readonly episodes: number; readonly average_reward: number } {
  const values = artifacts.flatMap(({ parts }) => parts.map(({ content }) => content?.value as unknown));
  expect(values[0]).toMatch(/Pass\^1/);
  return (values[1] as { readonly metrics: { readonly episodes: number; readonly average_reward: number } }).metrics;
}

describe('serve a2a', () => {
  it.each(['1.0', '0.3'] as const)(
    'runs what a client of protocol %s asks for',
    { timeout: 240_000 },
    async (version) => {
      const agent = await modelAgent();
      const { served, url } = await serve();
      const client = await clientOf(url, version);
      const states: (TaskState | undefined)[] = [];
      let task: string | undefined;
      for await (const { payload } of client.sendMessageStream(
        request(`assess ${agent} on retail, 2 trials, tasks 0-1`),
      )) {
        if (payload?.$case === 'task') task = payload.value.id;
        if (payload?.$case === 'statusUpdate') states.push(payload.value.status?.state);
      }
      expect(states).toContain(TaskState.TASK_STATE_WORKING);
      expect(states.at(-1)).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(figuresIn(await client.getTask({ tenant: '', id: task ?? '' }))).toMatchObject({
        episodes: 4,
        average_reward: 1,
      });
      served.signal('SIGINT');
      await served.ended;
    },
  );

  it('resumes a run after it was killed', { timeout: 300_000 }, async () => {
    const agent = await modelAgent();
    const first = await serve();
    const before = await clientOf(first.url, '1.0');
    let id = '';
    for await (const { payload } of before.sendMessageStream(
      request(`assess ${agent} on retail, tasks 0-3, 2 trials`),
    )) {
      if (payload?.$case === 'task') id = payload.value.id;
      if (payload?.$case === 'statusUpdate') break;
    }
    first.served.signal('SIGKILL');
    await first.served.ended.catch(() => undefined);
    const { url, served } = await serve();
    const client = await clientOf(url, '1.0');
    await expect
      .poll(async () => (await client.getTask({ tenant: '', id })).status?.state, { timeout: 200_000, interval: 500 })
      .toBe(TaskState.TASK_STATE_COMPLETED);
    expect(figuresIn(await client.getTask({ tenant: '', id }))).toMatchObject({ episodes: 8, average_reward: 1 });
    await expect(client.getTask({ tenant: '', id: 'no-such-task' })).rejects.toThrow(/not found/i);
    const refused = await client.sendMessage(request('assess /tmp/agent.ts'));
    expect('status' in refused ? refused.status?.state : undefined).toBe(TaskState.TASK_STATE_REJECTED);
    served.signal('SIGINT');
    await served.ended;
  });
});

const TASKS = JSON.parse(readFileSync(new URL('../../data/retail/tasks-test.json', import.meta.url), 'utf8')) as {
  readonly actions: readonly { readonly name: string; readonly kwargs: Record<string, unknown> }[];
}[];
const TASK = 1;

interface Observed {
  readonly observation: string;
  readonly done: boolean;
}

describe('serve mcp', () => {
  it('grades what a client has done', { timeout: 180_000 }, async () => {
    const words = ['serve', 'mcp', '--task', String(TASK), '--run-id', 'by-hand'];
    let connected: (url: string) => void = () => undefined;
    const address = new Promise<string>((resolve) => (connected = resolve));
    const served = start(words, { cwd, env: environment() }, undefined, (line) => {
      const url = /http:\S+\/mcp\/user\/mcp/.exec(line)?.[0];
      if (url !== undefined) connected(url);
    });
    const client = new McpClient({ name: 'person', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(await address)));
    for (const { name, kwargs } of TASKS[TASK]?.actions ?? []) {
      expect((await client.callTool({ name, arguments: kwargs })).isError).toBeUndefined();
    }
    let isDone = false;
    for (let turns = 0; turns < 10 && !isDone; turns++) {
      const said = await client.callTool({
        name: 'respond_to_user',
        arguments: { content: turns === 0 ? 'It is done.' : 'Anything else?' },
      });
      isDone = (said.structuredContent as Observed).done;
    }
    await client.close();
    const { code, stdout } = await served.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('The user says: ');
    const path = join(cwd, 'results/by-hand/episodes', `task-${TASK}.trial-0.json`);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ reward: 1, outcome: { kind: 'user_stop' } });
  });

  it.each([[[]], [['--task', 'five']]])('has to know the task: %j', async (words) => {
    expectSentence(await tauflow(['serve', 'mcp', ...words]), 2, /name the task to play by its number/);
  });

  it('takes no agent, and no trials', async () => {
    const ended = await tauflow(['serve', 'mcp', '--task', '1', '--num-trials', '3']);
    expectSentence(ended, 2, /unknown option '--num-trials'/);
  });
});

let scripted: ScriptedCaller;
beforeAll(async () => {
  scripted = await startScriptedCaller({ packs: [await resolvePack('retail')] });
});
afterAll(() => scripted.close());

/** Types a person's lines, or pipes them in. */
function type({ cwd }: Pick<Steered, 'cwd'>, words: readonly string[], ...lines: readonly string[]) {
  const stdin = lines.map((line) => `${line}\n`);
  return tauflow(['chat', ...words], { cwd, env: serverOfTests(), stdin });
}

async function startRun(count: number): Promise<Steered> {
  const run = await steered({ callModel: scripted.callModel });
  await run.start({ config: run.rig.config(HUMAN_USER), plan: tasks(count) });
  return run;
}

function episodeOf({ rig, runId }: Steered, taskId: number) {
  return rig.client.workflow.getHandle(episodeWorkflowId(runId, { taskId, trial: 0 }));
}

function opening({ rig }: Steered, taskId: number): string {
  return `Hi. ${formatCaseCode({ packKey: formatPackKey(rig.pack), split: 'test', taskId, seed: 1 })}`;
}

describe('one episode that waits', () => {
  it('is played to its end with what is piped in', async () => {
    const run = await startRun(1);
    await asked(episodeOf(run, 0), 1);
    const { code, stdout, stderr } = await type(run, [run.runId], opening(run, 0), ' ', 'Yes, please.', '###STOP###');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain(`task-0.trial-0 of ${run.runId}: you are the user.`);
    expect(stdout).toContain(run.rig.pack.splits['test']?.[0]?.instruction);
    expect(stdout).toContain('A line with ###STOP### ends the conversation');
    expect(stdout).toContain('The agent is scripted, and knows its task by a code');
    expect(stdout).toMatch(/^agent> .*Your request is complete\.$/m);
    expect(stdout).toMatch(/\nyou> ###STOP###\n\nThe conversation has ended \(user_stop\)\.\nreward 1, \d+ steps/);
    expect(stderr).toBe('not sent: an answer must have words');
    const record = await run.rig.log.readEpisode({ taskId: 0, trial: 0 });
    expect(record).toMatchObject({ reward: 1, config: { userStrategy: 'human' } });
    expect(record?.usage.map(({ role }) => role)).toEqual(['agent']);
  });

  it('goes on waiting when the person leaves, and shows what was said when they come back', async () => {
    const run = await startRun(1);
    await asked(episodeOf(run, 0), 1);
    const left = await type(run, [run.runId, 'task-0'], opening(run, 0));
    const comeBack = `npx tauflow chat ${run.runId} task-0.trial-0`;
    expect([left.code, left.stderr]).toEqual([0, `the conversation waits; come back with: ${comeBack}`]);
    await asked(episodeOf(run, 0), 2);
    const back = await type(run, [run.runId, 'task-0.trial-0'], '###STOP###');
    expect(back.stdout).toMatch(/^you> Hi\. \[case .*\]\nagent> .*\nyou> ###STOP###$/m);
    expect(back.stdout).toContain('The conversation has ended (user_stop).');
  });

  it('that is cancelled under the person’s hands has no score, and is not there any more', async () => {
    const run = await startRun(1);
    const episode = episodeOf(run, 0);
    await asked(episode, 1);
    async function* typed() {
      yield `${opening(run, 0)}\n`;
      await asked(episode, 2);
      await episode.cancel();
      await episode.result().catch(() => undefined);
      yield 'Yes.\n';
    }
    const words = ['chat', run.runId, 'task-0'];
    const surroundings = { cwd: run.cwd, env: serverOfTests() };
    const { context, ended } = inProcessContext(words, surroundings, { stdin: Readable.from(typed()) });
    await runProgram(words, context);
    expect(ended()).toMatchObject({ code: 1, stderr: '' });
    expect(ended().stdout).toMatch(/\n\nThe conversation has ended without a score: it was cancelled$/);
    const { code, stderr } = await type(run, [run.runId, 'task-0'], 'Hi.');
    expect(code).toBe(2);
    expect(stderr).toMatch(/has no open episode task-0; |is not under way/);
  });
});

describe('several episodes that wait', () => {
  it('are listed, since when and with the agent’s last words', async () => {
    const run = await startRun(2);
    await asked(episodeOf(run, 0), 1);
    await say(episodeOf(run, 1), 1, opening(run, 1));
    await asked(episodeOf(run, 1), 2);
    const { code, stdout } = await type(run, [run.runId]);
    expect(code).toBe(0);
    const since = String.raw`since \d{4}-\d\d-\d\d \d\d:\d\d UTC`;
    expect(stdout).toMatch(
      new RegExp(
        `^${run.runId} task-0\\.trial-0 {2}${since} {2}to be opened\n` +
          `${run.runId} task-1\\.trial-0 {2}${since} {2}agent: .*complete\\.\n\n` +
          `talk with: npx tauflow chat ${run.runId} task-0\\.trial-0$`,
      ),
    );
    const document = JSON.parse((await type(run, ['--json'])).stdout) as { run_id: string }[];
    expect(document.filter(({ run_id }) => run_id === run.runId)).toMatchObject([
      { episode: 'task-0.trial-0', question: 1, said: null },
      { episode: 'task-1.trial-0', question: 2 },
    ]);
    const unknown = await type(run, [run.runId, 'task-7'], 'Hi.');
    expect(unknown).toMatchObject({ code: 2, stdout: '' });
    expect(unknown.stderr).toContain(`the run ${run.runId} has no open episode task-7; `);
  });
});

describe('nobody to talk with', () => {
  it('is reported in a sentence', async () => {
    const run = await steered();
    const missing = await type(run, ['nothing']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('knows no run nothing; ')]);
    expect((await type(run, [run.runId, 'seventeen'])).stderr).toContain('"seventeen" is not an episode');
    const handle = await run.start({ plan: tasks(1) });
    expect(await type(run, [run.runId])).toMatchObject({
      code: 2,
      stderr: `error: the users of the run ${run.runId} are simulated; people talk in runs with --user-strategy human.`,
    });
    run.gate.openWide();
    await handle.result();
    expect((await type(run, [run.runId])).stderr).toContain('is not under way (completed)');
  });

  it('for want of a worker says how to start one', async () => {
    const run = await steered();
    const queues = taskQueues(`${run.runId}-nobody`);
    const handle = await run.start({ config: run.rig.config(HUMAN_USER), plan: tasks(1), queues });
    const { code, stderr } = await type(run, [run.runId]);
    expect(code).toBe(3);
    expect(stderr).toBe(
      `error: no worker answers for the run ${run.runId}, and its conversations wait; ` +
        `one is started with \`npx tauflow worker --task-queue ${run.runId}-nobody\`.`,
    );
    await handle.terminate();
  });
});

describe('a run with a person as its user', () => {
  const cwd = scratchFolder();
  const words = ['--user-strategy', 'human', '--env', 'retail', '--task-ids', '2'];

  it('needs no user model and no key for one, and takes the reference’s flag all the same', async () => {
    const planned = await tauflow(['run', ...words, '--user-model', 'gpt-4o', '--dry-run', '--json'], { cwd });
    expect(planned.code, planned.stderr).toBe(0);
    const document = JSON.parse(planned.stdout) as { run: { run_id: string }; least_model_calls: number };
    expect(document).toMatchObject({
      config: { user_strategy: 'human', user_model: { provider: 'human', model: 'human' } },
      plan: { num_trials: 1 },
      max_concurrency: 1,
      notes: expect.arrayContaining([expect.stringContaining('The user was a person')]) as string[],
    });
    expect(document.run.run_id).toMatch(/^tool-calling-oracle-human_\d{10}$/);
    const simulated = await tauflow(['run', '--task-ids', '2', '--model', 'oracle', '--dry-run', '--json'], { cwd });
    expect(document.least_model_calls).toBe((JSON.parse(simulated.stdout) as typeof document).least_model_calls - 2);
  });

  it('is not for schedules', async () => {
    const { code, stderr } = await tauflow(['schedule', 'create', 'nights', ...words, '--cron', '0 2 * * *'], { cwd });
    expect([code, stderr]).toEqual([
      2,
      'error: --user-strategy human is not for schedules: no human user answers in scheduled runs.',
    ]);
  });
});
