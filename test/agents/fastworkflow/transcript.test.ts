import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../fake-session.ts';
import { answerReply, askReply, commandReply, finishReply, planReply, summaryReply, toolReply } from './replies.ts';
import { CANCEL, LOOK, solve } from './rig.ts';

const jsonFinish = '{"next_thought": "x", "next_tool_name": "finish", "next_tool_args": {}}';
const illegal = '{"next_thought": "", "next_tool_name": "search", "next_tool_args": {}}';

const CONVERSATION = {
  replies: [
    planReply('1. Look it up.'),
    commandReply(LOOK),
    commandReply('cancel_pending_order'),
    planReply('1. Ask why.'),
    askReply('Why?'),
    planReply('1. Cancel it.'),
    commandReply(CANCEL),
    'Hm.',
    jsonFinish,
    answerReply('It is cancelled.'),
    summaryReply(),
    planReply(''),
    finishReply(),
    answerReply('Bye.'),
  ],
  userReplies: ['No longer needed.', 'Thanks.'],
};

describe('the text in Temporal UI', () => {
  it('is one short line for each model call', async () => {
    const { session } = await solve(CONVERSATION);
    expect(session.asked.map((asked) => asked.request.summary)).toEqual([
      'plan',
      'think 1',
      'think 2 (after get_order_details)',
      'replan: parameters were missing or invalid',
      'think 3 (after wrong parameters, nothing ran)',
      "replan: the user's answer",
      'think 4 (after ask_user)',
      'think 5 (after cancel_pending_order)',
      'think 5 (after cancel_pending_order), again as JSON',
      'answer',
      'summarise turn 1',
      'replan: a new message',
      'think 1',
      'answer',
    ]);
  });

  it("has the command, and the reason of the environment's refusal", async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply('get_order_detials <order_id>#W1</order_id>'), finishReply(), answerReply()],
      tool: () => 'Error: order not found',
    });
    const summaries = session.asked.map((asked) => asked.request.summary);
    expect(summaries).toContain('think 2 (after get_order_details: Error: order not found)');
  });

  it('never has more than 100 characters, whatever the agent writes', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply('x'.repeat(300)), 'Hm.', jsonFinish, answerReply()],
    }).catch(() => ({ session: undefined }));
    for (const { request } of session?.asked ?? []) expect(request.summary?.length).toBeLessThanOrEqual(100);
  });

  it('has "act" if there is no thought', async () => {
    const options = { ...OPTIONS, useReasoning: false };
    const { session } = await solve({
      replies: [planReply(), commandReply(LOOK), finishReply(), answerReply()],
      options,
    });
    expect(session.asked.map((asked) => asked.request.summary)).toContain('act 2 (after get_order_details)');
  });

  it('is the live transcript of the agent: plan, thought, command, step, observation, reply', async () => {
    const { session } = await solve(CONVERSATION);
    expect(session.transcript.slice(0, 5)).toEqual([
      { what: 'plan', text: '1. Look it up.' },
      { what: 'thought', text: 'Go on.' },
      { what: 'command', text: LOOK },
      expect.objectContaining({ what: 'step' }),
      expect.objectContaining({ what: 'observation' }),
    ]);
    expect(session.transcript.map(({ what }) => what).slice(5)).toEqual([
      ...['thought', 'command', 'clarification', 'plan'],
      ...['thought', 'reply', 'user', 'plan'],
      ...['thought', 'command', 'step', 'observation', 'thought'],
      ...['reply', 'user', 'thought', 'reply', 'user'],
    ]);
  });
});

describe('counts', () => {
  it('show turns, new plans by reason, and what went wrong', async () => {
    const { session } = await solve(CONVERSATION);
    expect(Object.fromEntries(session.counts)).toMatchObject({
      turns: 2,
      replans_answer: 1,
      replans_parameter_error: 1,
      replans_turn: 1,
      unreadable_replies: 1,
    });
    for (const name of ['tool_errors', 'illegal_tool_choices', 'iterations_exhausted', 'trajectory_truncations']) {
      expect(session.counts.has(name)).toBe(false);
    }
  });

  it('show illegal choices and exhausted iterations', async () => {
    const looks = Array.from({ length: 25 }, () => toolReply('what_can_i_do'));
    const { session } = await solve({ replies: [planReply(), illegal, illegal, ...looks, answerReply()] });
    expect(session.counts.get('illegal_tool_choices')).toBe(1);
    expect(session.counts.get('iterations_exhausted')).toBe(1);
    expect(session.transcript).toContainEqual({ what: 'note', text: expect.stringContaining('search') as string });
  });
});
