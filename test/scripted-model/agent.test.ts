import { describe, expect, it } from 'vitest';
import { RESPOND } from '../../src/benchmark/types.ts';
import { CANCEL, dict, LOOK_UP, newPlayer, play, task, tinyPack, TRANSFER } from './helpers.ts';

const PAY = { name: 'pay', kwargs: dict({ order_id: '#W1', amount: 131, note: 'é' }) };
const pack = tinyPack([
  task('Cancel my order.', [LOOK_UP, CANCEL]),
  task('How much is it?', [LOOK_UP], ['54.04', 'Blue']),
  task('Get me a person.', [TRANSFER, LOOK_UP]),
  task('Tell me, then get me a person.', [LOOK_UP, TRANSFER], ['54.04']),
  task('Pay.', [PAY]),
  task('Talk.', [{ name: RESPOND, kwargs: dict({ content: 'hm' }) }]),
]);
const player = newPlayer(pack);

interface Said {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: unknown;
}

/** The first `count` answers of the agent of a task; tools answer `seen`, the customer `Go on.` */
function answers(taskId: number, count: number, extra: Record<string, unknown>, system = 'Policy'): string[] {
  const messages: Said[] = [
    { role: 'system', content: system },
    { role: 'user', content: `Hi. [case shop-3fa91c/test/${taskId} s1]` },
  ];
  return Array.from({ length: count }, () => {
    const { content, toolCall } = play(player, { model: 'oracle', messages, ...extra });
    messages.push({
      role: 'assistant',
      content,
      ...(toolCall ? { tool_calls: [{ id: 'x', type: 'function', function: toolCall }] } : {}),
    });
    messages.push(toolCall ? { role: 'tool', content: 'seen' } : { role: 'user', content: 'Go on.' });
    return toolCall ? `${toolCall.name} ${toolCall.arguments}` : (content ?? '');
  });
}

const withTools = { tools: [{ type: 'function', function: { name: 'pay' } }] };

describe('the scripted agent with a tool API', () => {
  it("plays the task's actions in order, one a call, then answers, then says goodbye", () => {
    expect(answers(0, 4, withTools)).toEqual([
      'get_order_details {"order_id": "#W1"}',
      'cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}',
      expect.stringContaining('Your request is complete.'),
      expect.stringContaining('Goodbye.'),
    ]);
  });

  it('tells every output to the letter in its answer', () => {
    const [, answer] = answers(1, 2, withTools);
    expect(answer).toContain('54.04');
    expect(answer).toContain('Blue');
  });

  it('plays the tool that ends the episode last', () => {
    expect(answers(2, 2, withTools).map((text) => text.split(' ')[0])).toEqual([
      'get_order_details',
      'transfer_to_human_agents',
    ]);
  });

  it('tells the outputs before the tool that ends the episode', () => {
    const [, told, transfer] = answers(3, 3, withTools);
    expect(told).toContain('54.04');
    expect(told).not.toContain('Your request is complete.');
    expect(transfer).toMatch(/^transfer_to_human_agents/);
  });

  it("writes arguments in Python's spelling, numbers as they are in the pack", () => {
    expect(answers(4, 1, withTools)).toEqual(['pay {"order_id": "#W1", "amount": 131.0, "note": "\\u00e9"}']);
  });

  it('leaves out what the ground truth says to the customer', () => {
    expect(answers(5, 1, withTools)).toEqual([expect.stringContaining('Your request is complete.')]);
  });

  it('refuses a conversation that the scripted customer has not opened', () => {
    const messages = [{ role: 'user', content: 'Hi, I am a person.' }];
    expect(() => play(player, { model: 'oracle', messages, ...withTools })).toThrow(/no \[case …\] was found/);
  });

  it.each(['[case shop-3fa91c/test/99 s1]', '[case shop-3fa91c/dev/0 s1]', '[case airline-123456/test/0 s1]'])(
    'refuses a task that is not loaded: %s',
    (code) => {
      const messages = [{ role: 'user', content: `Hi. ${code}` }];
      expect(() => play(player, { model: 'oracle', messages, ...withTools })).toThrow(/not among the tasks/);
    },
  );

  it.each(['oracle:1.5', 'oracle:', 'oracle:high', 'oracle:-1', 'oracle:1e-1'])(
    'does not know the model %s',
    (model) => {
      const messages = [{ role: 'user', content: 'Hi. [case shop-3fa91c/test/0 s1]' }];
      expect(() => play(player, { model, messages, ...withTools })).toThrow(/success rate from 0 to 1/);
    },
  );

  it.each(['oracle', 'openai/oracle', 'oracle:1', 'gpt-4o'])('plays perfectly under the name %s', (model) => {
    const messages = [{ role: 'user', content: 'Hi. [case shop-3fa91c/test/0 s1]' }];
    expect(play(player, { model, messages, ...withTools }).toolCall?.name).toBe('get_order_details');
  });
});

const ACT = 'Policy\n#Available tools\n[]\n# Instruction\nAction:\n{"name": <name>, "arguments": <json>}\n';
const REACT = ACT.replace('Action:', 'Thought:\n<one line>\nAction:');

describe('the scripted agent without a tool API', () => {
  it('writes each action as JSON', () => {
    expect(answers(0, 3, {}, ACT)).toEqual([
      'Action:\n{"name": "get_order_details", "arguments": {"order_id": "#W1"}}',
      'Action:\n{"name": "cancel_pending_order", "arguments": {"order_id": "#W1", "reason": "no longer needed"}}',
      expect.stringMatching(/^Action:\n\{"name": "respond", "arguments": \{"content": ".*complete\."\}\}$/),
    ]);
  });

  it('thinks first where a thought is asked for', () => {
    expect(answers(0, 1, {}, REACT)[0]).toMatch(/^Thought:\n.+\nAction:\n\{"name": "get_order_details"/);
  });
});
