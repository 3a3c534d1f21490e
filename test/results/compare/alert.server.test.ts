import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

import { AlertError, postAlert, runAlertCommand, type AlertMessage } from '../../../src/results/compare/testing.ts';
import { findWebhookProblem } from '../../../src/results/compare/index.ts';
import type { RunComparison } from '../../../src/evaluation/index.ts';

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

describe('a webhook', () => {
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

describe('a command', () => {
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
