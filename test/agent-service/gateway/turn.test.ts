import { expect, it, vi } from 'vitest';
import { GatewayTurn, type Caller } from '../../../src/agent-service/testing.ts';
import { bindingWith } from './helpers.ts';

/** A caller of each kind: one that waits, one whose connection has ended, one that has the answer. */
const WAITS: Caller = { destroyed: false, writableFinished: false };
const GONE: Caller = { destroyed: true, writableFinished: false };
const ANSWERED: Caller = { destroyed: true, writableFinished: true };

function callsOf(kind: 'tool' | 'model') {
  const turn = new GatewayTurn(bindingWith());
  let count = 0;
  const work = vi.fn(() => Promise.resolve({ number: ++count }));
  const call = (key: string, caller: Caller) => turn.callOnce(kind, { key, caller }, work);
  return { call, work };
}

it.each(['tool', 'model'] as const)('a %s call whose caller has gone is not made again', async (kind) => {
  const { call, work } = callsOf(kind);
  const first = call('a', GONE);
  expect(await Promise.all([first, call('a', GONE), call('a', ANSWERED)])).toEqual(
    [1, 1, 1].map((number) => ({ number })),
  );
  expect(work).toHaveBeenCalledTimes(1);
  // The answer has arrived: this is another call.
  expect(await call('a', WAITS)).toEqual({ number: 2 });
  expect(await call('a', WAITS)).toEqual({ number: 3 });
});

it('a tool call is made again after another one, a model call is not', async () => {
  const tools = callsOf('tool');
  await tools.call('a', GONE);
  await tools.call('b', WAITS);
  expect(await tools.call('a', WAITS)).toEqual({ number: 3 });
  const models = callsOf('model');
  await models.call('a', GONE);
  await models.call('b', WAITS);
  expect(await models.call('a', WAITS)).toEqual({ number: 1 });
});

it('a call that has failed is made again', async () => {
  const turn = new GatewayTurn(bindingWith());
  const work = vi.fn(() => Promise.reject(new Error('no')));
  for (const caller of [GONE, WAITS]) {
    await expect(turn.callOnce('model', { key: 'a', caller }, work)).rejects.toThrow('no');
  }
  expect(work).toHaveBeenCalledTimes(2);
});

it("a turn is disturbed by a call that failed without the agent's fault", async () => {
  const turn = new GatewayTurn(bindingWith());
  await expect(turn.call('tool', () => Promise.resolve({ refused: 'invalid', message: 'no' }))).rejects.toThrow('no');
  expect(await turn.close()).not.toHaveProperty('isDisturbed');
  const other = new GatewayTurn(bindingWith());
  await expect(other.call('model', () => Promise.reject(new Error('the server is away')))).rejects.toThrow();
  expect(await other.close()).toMatchObject({ isDisturbed: true });
  const stale = new GatewayTurn(bindingWith());
  await expect(stale.call('tool', () => Promise.resolve({ refused: 'stale', message: 'no' }))).rejects.toThrow('no');
  expect(await stale.close()).toMatchObject({ isDisturbed: true });
});

it('a turn refuses a call when 256 calls wait and eight are under way', async () => {
  const turn = new GatewayTurn(bindingWith());
  let end = () => undefined as void;
  const isOver = new Promise<object>((resolve) => (end = () => resolve({})));
  const calls = Array.from({ length: 8 + 256 }, () => turn.call('model', () => isOver));
  await expect(turn.call('model', () => isOver)).rejects.toThrow('more than 256 calls of this turn are waiting');
  end();
  await expect(Promise.all(calls)).resolves.toHaveLength(calls.length);
});
