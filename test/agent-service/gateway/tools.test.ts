import { describe, expect, it, vi } from 'vitest';
import type { ToolCallRequest, ToolCallResult } from '../../../src/agent-service/pure.ts';
import { bindingWith, send, serve } from './helpers.ts';

/** Tool calls that a test lets end one by one. */
function heldTools() {
  const calls: { readonly call: ToolCallRequest; readonly end: (result?: ToolCallResult) => void }[] = [];
  const toolCall = (call: ToolCallRequest) =>
    new Promise<ToolCallResult>((resolve) => {
      calls.push({ call, end: (result = { observation: `${call.name} done`, done: false }) => resolve(result) });
    });
  return { calls, toolCall };
}

describe('tools', () => {
  it.each([
    ['an object', '{"name": "get_order", "arguments": {"order_id": "#W1", "amount": 131.0}}'],
    ['JSON text', '{"name": "get_order", "arguments": "{\\"order_id\\": \\"#W1\\", \\"amount\\": 131.0}"}'],
  ])('are called with arguments that are %s, in their own spelling', async (_form, body) => {
    const gateway = await serve();
    const toolCall = vi.fn(bindingWith().toolCall);
    const { toolsUrl } = gateway.open(bindingWith({ toolCall }));
    const { status, body: answer } = await send(toolsUrl, body);
    const argumentsJson = '{"order_id": "#W1", "amount": 131.0}';
    expect({ status, answer }).toEqual({
      status: 200,
      answer: { observation: `get_order ${argumentsJson}`, done: false },
    });
    expect(toolCall.mock.calls).toEqual([[{ request: 3, attempt: 2, name: 'get_order', argumentsJson }]]);
  });

  it.each([[{ name: 'list_all' }], [{ name: 'list_all', arguments: '' }], [{ name: 'list_all', arguments: null }]])(
    'are called without arguments: %j',
    async (body) => {
      const { toolsUrl } = (await serve()).open(bindingWith());
      expect((await send(toolsUrl, body)).body).toEqual({ observation: 'list_all {}', done: false });
    },
  );

  it.each([
    ['no JSON', 'name=x'],
    ['a list', '[]'],
    ['no name', { arguments: {} }],
    ['a name that is no text', { name: 3 }],
    ['a long name', { name: 'x'.repeat(201) }],
    ['arguments that are a list', { name: 'x', arguments: [] }],
    ['arguments that are text of no object', { name: 'x', arguments: '[1]' }],
    ['large arguments', { name: 'x', arguments: { text: 'x'.repeat(300_000) } }],
  ])('refuse %s', async (_what, body) => {
    const { toolsUrl } = (await serve()).open(bindingWith());
    const { status, body: answer } = await send(toolsUrl, body);
    expect({ status, answer }).toMatchObject({ status: 400, answer: { error: 'invalid' } });
  });

  it.each([
    ['stale', 409],
    ['diverged', 409],
    ['over', 410],
    ['invalid', 400],
  ] as const)('pass on that a call is %s', async (refused, expected) => {
    const toolCall = () => Promise.resolve({ refused, message: 'One sentence.' });
    const { toolsUrl } = (await serve()).open(bindingWith({ toolCall }));
    const { status, body } = await send(toolsUrl, { name: 'x' });
    expect({ status, body }).toEqual({ status: expected, body: { error: refused, message: 'One sentence.' } });
  });

  it('say nothing of what went wrong in the worker', async () => {
    const toolCall = () => Promise.reject(new Error('task-17 is unreachable'));
    const { toolsUrl } = (await serve()).open(bindingWith({ toolCall }));
    const { status, body } = await send(toolsUrl, { name: 'x' });
    expect({ status, body }).toMatchObject({ status: 500, body: { error: 'unavailable' } });
    expect(JSON.stringify(body)).not.toContain('17');
  });

  it('are called one at a time, in order of arrival', async () => {
    const { calls, toolCall } = heldTools();
    const { toolsUrl } = (await serve()).open(bindingWith({ toolCall }));
    const answers = [];
    for (const name of ['a', 'b', 'c']) {
      answers.push(send(toolsUrl, { name }));
      // The next one is sent when this one is there.
      await send(`${toolsUrl}/none`, {});
    }
    for (const at of [0, 1, 2]) {
      await expect.poll(() => calls.length).toBe(at + 1);
      calls[at]?.end();
    }
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(
      ['a', 'b', 'c'].map((name) => ({ observation: `${name} done`, done: false })),
    );
    expect(calls.map(({ call }) => call.name)).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a call has ended it', { observation: 'Bye.', done: true }, 200],
    ['a call is refused for that', { refused: 'over' as const, message: 'It has ended.' }, 410],
  ])('say that the episode is over when %s', async (_what, result, expected) => {
    const toolCall = vi.fn(() => Promise.resolve(result));
    const turn = (await serve()).open(bindingWith({ toolCall }));
    const { toolsUrl, over } = turn;
    expect((await send(toolsUrl, { name: 'x' })).status).toBe(expected);
    await over;
    const refused = { status: 410, body: { error: 'over' } };
    expect(await send(toolsUrl, { name: 'y' })).toMatchObject(refused);
    await turn.close();
    expect(await send(toolsUrl, { name: 'y' })).toMatchObject(refused);
    expect(toolCall).toHaveBeenCalledTimes(1);
  });
});

describe('the end of a turn', () => {
  it('waits for calls under way, and refuses further ones', async () => {
    const { calls, toolCall } = heldTools();
    const turn = (await serve()).open(bindingWith({ toolCall }));
    const answer = send(turn.toolsUrl, { name: 'a' });
    await expect.poll(() => calls.length).toBe(1);
    const closed = vi.fn();
    const closing = turn.close().then(closed);
    expect(await send(turn.toolsUrl, { name: 'b' })).toMatchObject({ status: 409, body: { error: 'stale' } });
    expect(closed).not.toHaveBeenCalled();
    calls[0]?.end();
    expect((await answer).status).toBe(200);
    await closing;
    expect(closed).toHaveBeenCalledWith({ passedThrough: 0, open: 1 });
    expect(await send(turn.toolsUrl, { name: 'c' })).toMatchObject({ status: 409, body: { error: 'stale' } });
    expect(calls).toHaveLength(1);
  });

  it('waits 30 s at most', async () => {
    const { calls, toolCall } = heldTools();
    const turn = (await serve()).open(bindingWith({ toolCall }));
    const answers = [send(turn.toolsUrl, { name: 'a' }), send(turn.toolsUrl, { name: 'b' })];
    await expect.poll(() => calls.length).toBe(1);
    await send(`${turn.toolsUrl}/none`, {});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const closing = turn.close();
      await vi.advanceTimersByTimeAsync(30_000);
      await closing;
    } finally {
      vi.useRealTimers();
    }
    calls[0]?.end();
    // The one that waited for the other is not carried out any more.
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(calls).toHaveLength(1);
  });
});
