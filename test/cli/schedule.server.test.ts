/** Schedules, and the alerts of scheduled runs. */

import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, inject, it, afterEach } from 'vitest';
import { scratchFolder, tauflow, type Ended } from './in-process.ts';
import { AlertError, postAlert, runAlertCommand, type AlertMessage } from '../../src/results/compare/testing.ts';
import { findWebhookProblem } from '../../src/results/compare/index.ts';
import type { RunComparison } from '../../src/evaluation/index.ts';

const NIGHTLY = ['--cron', '0 2 29 2 *'];

describe('schedule create refuses, before it looks for a server,', () => {
  it.each<[string, string[], RegExp]>([
    ['a schedule without times', [], /--cron is required/],
    ['an unknown overlap policy', [...NIGHTLY, '--overlap', 'never'], /--overlap must be one of skip, buffer-one/],
    ['a catch-up that is no duration', [...NIGHTLY, '--catch-up', 'soon'], /--catch-up must be a duration/],
    ['a catch-up that the server would not take', [...NIGHTLY, '--catch-up', '1s'], /--catch-up must be at least 10s/],
    ['a jitter that is no duration', [...NIGHTLY, '--jitter', '10 minutes'], /--jitter must be a duration/],
    [
      'a webhook in the clear',
      [...NIGHTLY, '--on-regression', 'http://example.com/x'],
      /must be an https:\/\/ address/,
    ],
    [
      'a variable that is no name',
      [...NIGHTLY, '--on-unfinished', 'env:MY-HOOK'],
      /"MY-HOOK" is not the name of a variable/,
    ],
    ['an alert of nothing', [...NIGHTLY, '--on-regression', ' '], /--on-regression needs/],
    ['a run id', [...NIGHTLY, '--run-id', 'mine'], /--run-id is not for schedules: a schedule names its runs itself/],
    ['to detach', [...NIGHTLY, '--detach'], /--detach is not for schedules/],
    ['to have no worker', [...NIGHTLY, '--no-worker'], /--no-worker is not for schedules/],
    ['a dry run', [...NIGHTLY, '--dry-run'], /tauflow run --dry-run/],
    ['a threshold', [...NIGHTLY, '--fail-under', '0.5'], /use --on-regression for alerts/],
    ['decisions without a score', [...NIGHTLY, '--agent-strategy', 'fastworkflow', '--decision-only'], /needs a score/],
    ['a model without a provider', [...NIGHTLY, '--model', 'gpt-4o'], /--model gpt-4o needs a --model-provider/],
    ['an unknown strategy', [...NIGHTLY, '--agent-strategy', 'magic'], /unknown --agent-strategy "magic"/],
    ['a task that is not there', [...NIGHTLY, '--task-ids', '99999'], /there is no task 99999/],
    ['a pack that is not there', [...NIGHTLY, '--pack', 'nowhere'], /nowhere/],
  ])('%s', async (_, flags, sentence) => {
    const { code, stderr, stdout } = await tauflow(['schedule', 'create', 'shop', ...flags]);
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each([
    ['a/b', /may have only letters, digits/],
    ['x'.repeat(157), /may have 156 characters/],
  ])('the name %s', async (name, sentence) => {
    const { code, stderr } = await tauflow(['schedule', 'create', name, ...NIGHTLY]);
    expect(stderr).toMatch(sentence);
    expect(code).toBe(2);
  });

  it('what a config file says that is not for schedules', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'run.json'), JSON.stringify({ model: 'oracle', detach: true }));
    const { code, stderr } = await tauflow(['schedule', 'create', 'shop', ...NIGHTLY, '--config', 'run.json'], { cwd });
    expect(stderr).toMatch(/--detach is not for schedules/);
    expect(code).toBe(2);
  });
});

it('schedule show wants a number of runs', async () => {
  const { code, stderr } = await tauflow(['schedule', 'show', 'shop', '--runs', '0']);
  expect(stderr).toMatch(/--runs must be a whole number/);
  expect(code).toBe(2);
});

it('a schedule needs a server that can be reached', async () => {
  const { code, stderr } = await tauflow(['schedule', 'create', 'x'.repeat(156), ...NIGHTLY]);
  expect(stderr).toMatch(/no Temporal server at 127\.0\.0\.1:1/);
  expect(code).toBe(3);
});

describe('on a server, a schedule', () => {
  const cwd = scratchFolder();
  const name = `cli-${randomUUID().slice(0, 8)}`;
  /** A queue that nobody listens on: nights are started, and wait. */
  const flags = ['--model', 'oracle', '--end-index', '2', '--task-queue', name];
  const schedule = (...words: string[]): Promise<Ended> => {
    const { address, namespace } = inject('temporal');
    const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    return tauflow(['schedule', ...words], { cwd, env });
  };
  const json = async (...words: string[]) => JSON.parse((await schedule(...words, '--json')).stdout) as unknown;

  it('goes through its life', async () => {
    const created = await schedule('create', name, ...NIGHTLY, ...flags, '--on-regression', 'env:HOOK');
    expect(created.code, created.stderr).toBe(0);
    expect(created.stdout).toMatch(/times +0 2 29 2 \* UTC/);
    expect(created.stdout).toMatch(/policy +overlap skip, catch-up 6 h 0 min, jitter none/);
    expect(created.stdout).toMatch(/alerts +regression: webhook from the worker's HOOK/);
    expect(created.stderr).toMatch(new RegExp(`no worker listens on ${name}; one is started with`));

    const again = await schedule('create', name, ...NIGHTLY, ...flags);
    expect(again.code).toBe(2);
    expect(again.stderr).toMatch(/there is a schedule .* already; --replace changes it/);
    const wrong = await schedule('create', name, '--replace', '--cron', '61 2 * * *', ...flags);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/the server refuses the times of .*: Minute is not in range \[0-59\]; correct --cron/);

    expect(
      await json('create', name, '--replace', '--cron', '0 3 * * *', '--timezone', 'Europe/Berlin', ...flags),
    ).toMatchObject({
      name,
      cron: '0 3 * * *',
      timezone: 'Europe/Berlin',
      catch_up_ms: 21_600_000,
      alerts: {},
      config: { agent_model: { provider: 'scripted', model: 'oracle' }, max_steps: 30 },
      plan: { task_ids: [0, 1] },
    });
    expect(await json('list')).toEqual(
      expect.arrayContaining([expect.objectContaining({ name, paused: false, started: 0 })]),
    );
    expect((await schedule('list')).stdout).toContain('0 3 * * * Europe/Berlin');

    expect(await json('pause', name, '--note', 'closed')).toEqual({ schedule: name, paused: true, note: 'closed' });
    expect((await schedule('show', name)).stdout).toMatch(/paused +closed/);
    expect(await json('unpause', name)).toMatchObject({ paused: false, next: expect.stringMatching(/^20/) as string });

    const first = (await json('trigger', name)) as { run_id: string };
    expect(first.run_id).toMatch(new RegExp(`^${name}-\\d{4}-\\d\\d-\\d\\dT\\d{6}Z$`));
    const second = await schedule('trigger', name);
    expect(second.stdout).toMatch(/skipped: a run of .* is in progress/);
    expect(second.code).toBe(1);
    expect(await json('show', name)).toMatchObject({
      started: 1,
      skipped: 1,
      runs: [{ run_id: first.run_id, verdict: 'running', average_reward: null }],
    });

    const buffering = ['--replace', '--cron', '0 3 * * *', '--overlap', 'buffer-all', ...flags];
    expect((await schedule('create', name, ...buffering)).code).toBe(0);
    const third = await schedule('trigger', name);
    expect(third).toMatchObject({
      code: 0,
      stdout: `waiting: a run of ${name} is in progress, and by --overlap the new one starts when that has ended`,
    });
    // Once, and not again with each look.
    expect(await json('show', name)).toMatchObject({ started: 1, skipped: 1, waiting: 1 });

    expect((await schedule('delete', name)).code).toBe(0);
    for (const words of [['show'], ['trigger'], ['pause'], ['unpause'], ['delete']]) {
      const { code, stderr } = await schedule(...words, name);
      expect(stderr).toMatch(/^error: there is no schedule .*; `tauflow schedule list` shows those there are$/);
      expect(code).toBe(2);
    }
  });
});

const VERDICT: RunComparison = {
  verdict: 'regression',
  runId: 'shop-2026-11-21T020000Z',
  baseline: 'shop-2026-11-20T020000Z',
  averageReward: 0.5,
  costUsd: 1,
  delta: -0.25,
  low: -0.4,
  high: -0.1,
  tasks: 20,
  unfinished: { infrastructureErrors: 0, cancelled: 0, missing: 0 },
  sentence: 'worse than shop-2026-11-20T020000Z',
};
const MESSAGE: AlertMessage = {
  run: { runId: VERDICT.runId, logDir: '/logs' },
  schedule: 'shop',
  verdict: VERDICT,
  comparison: null,
  file: '/logs/shop-2026-11-21T020000Z/comparison.json',
};
const never = new AbortController().signal;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/token-1234`;
}

async function refusal(work: Promise<void>): Promise<AlertError> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof AlertError) return error;
  throw new Error('it was not refused', { cause: error });
}

describe('an alert by webhook', () => {
  it.each([
    [200, null],
    [204, null],
    [302, true],
    [404, true],
    [408, false],
    [429, false],
    [500, false],
    [503, false],
  ])('that answers %d: final %s', async (status, isFinal) => {
    const url = await serve((_, response) => response.writeHead(status, { location: '/elsewhere' }).end('words'));
    const post = postAlert(url, MESSAGE, never);
    if (isFinal === null) return void (await expect(post).resolves.toBeUndefined());
    const { message, isFinal: found } = await refusal(post);
    expect(found).toBe(isFinal);
    expect(message).toBe(`the webhook answered with HTTP status ${status}`);
  });

  it('that nobody serves is tried again, and its address is not shown', async () => {
    const url = await serve(() => undefined);
    await Promise.all(closing.splice(0).map((close) => close()));
    const { message, isFinal } = await refusal(postAlert(url, MESSAGE, never));
    expect({ message, isFinal }).toEqual({
      message: 'the webhook could not be reached: ECONNREFUSED',
      isFinal: false,
    });
  });

  it('that is being waited for is left when the activity is cancelled', async () => {
    const cancel = new AbortController();
    const url = await serve(() => cancel.abort(new Error('cancelled')));
    await expect(postAlert(url, MESSAGE, cancel.signal)).rejects.toThrow('cancelled');
  });

  it.each([
    ['https://hooks.example.com/x', null],
    ['http://localhost:8080/x', null],
    ['http://127.0.0.1/x', null],
    ['http://[::1]:80/', null],
    ['http://example.com/x', /http:\/\/ only on this machine/],
    ['http://localhost.example.com/', /http:\/\/ only on this machine/],
    ['http://127.0.0.1@example.com/', /http:\/\/ only on this machine/],
    ['ftp://example.com', /must be an https/],
    ['https://', /must be an https/],
    ['nonsense', /must be an https/],
  ])('at %s', async (url, problem) => {
    if (problem === null) return expect(findWebhookProblem(url)).toBeNull();
    expect(findWebhookProblem(url)).toMatch(problem);
    expect((await refusal(postAlert(url, MESSAGE, never))).isFinal).toBe(true);
  });
});

describe('an alert by a command', () => {
  const run = (command: string, signal = never, warn = (message: string): void => expect.fail(message)) =>
    runAlertCommand(command, MESSAGE, { env: { PATH: process.env['PATH'], OWN: 'yes' }, warn, signal });

  it('finds the scheduled run in its environment, beside the worker’s own', async () => {
    await run(
      'test "$OWN $TAUFLOW_SCHEDULE $TAUFLOW_RUN $TAUFLOW_VERDICT $TAUFLOW_DELTA" = ' +
        `"yes shop ${VERDICT.runId} regression -0.25" && test "$TAUFLOW_COMPARISON" = "${MESSAGE.file}"`,
    );
  });

  it('that fails is tried again; what it said goes to the log and not into the failure', async () => {
    const warnings: string[] = [];
    const { message, isFinal } = await refusal(
      run('echo a secret; echo more >&2; exit 3', never, (m) => warnings.push(m)),
    );
    expect({ message, isFinal }).toEqual({
      message: "the command ended with code 3; its output is in the worker's log",
      isFinal: false,
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/ended with code 3: a secret\s+more|ended with code 3: more\s+a secret/);
  });

  it('ends, with all that it has started, when the activity is cancelled', async () => {
    const cancel = new AbortController();
    const ended = refusal(run('sleep 300 & wait', cancel.signal, () => undefined));
    cancel.abort();
    expect((await ended).message).toContain('was ended by SIGKILL');
  });
});
