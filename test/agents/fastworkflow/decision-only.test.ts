import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../fake-session.ts';
import { askReply, commandReply, finishReply, planReply, toolReply } from './replies.ts';
import { CANCEL, LOOK, observation, solve } from './rig.ts';

const options = { ...OPTIONS, decisionOnly: true };

describe('decision-only', () => {
  it('enters each planned command in the trajectory, tells the agent that nothing ran, and takes no step', async () => {
    const { session, end, prompts } = await solve({
      replies: [planReply(), commandReply(LOOK), commandReply(CANCEL), finishReply()],
      options,
    });
    expect(end).toBe('decided');
    expect(prompts).toEqual(['plan', 'react', 'react', 'react']);
    expect(session.steps).toEqual([]);
    expect(observation(session.asked[2], 0)).toContain('Nothing was executed');
    const calls = session.trajectory.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []) : [],
    );
    expect(calls.map((call) => call.function)).toEqual([
      { name: 'get_order_details', arguments: '{"order_id": "#W1"}' },
      { name: 'cancel_pending_order', arguments: '{"order_id": "#W1", "reason": "no longer needed"}' },
    ]);
  });

  it('ends when the agent would ask the customer', async () => {
    const { session, end } = await solve({ replies: [planReply(), commandReply(LOOK), askReply('Really?')], options });
    expect(end).toBe('decided');
    expect(session.steps).toEqual([]);
  });

  it('ends when the iterations do', async () => {
    const looks = Array.from({ length: 25 }, () => toolReply('what_can_i_do'));
    const { end } = await solve({ replies: [planReply(), ...looks], options });
    expect(end).toBe('decided');
  });
});
