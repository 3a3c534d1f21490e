import { describe, expect, it } from 'vitest';
import { answerReply, commandReply, finishReply, planReply, summaryReply, toolReply } from './replies.ts';
import { CANCEL, observation, OPENING, solve, userText } from './rig.ts';

describe('the turn after', () => {
  it('has all 25 iterations again', async () => {
    const looks = Array.from({ length: 25 }, () => toolReply('what_can_i_do'));
    const { prompts } = await solve({
      replies: [planReply(), ...looks, answerReply('Stuck.'), planReply(), ...looks, answerReply()],
      userReplies: ['Try again.'],
    });
    expect(prompts.filter((thread) => thread === 'react')).toHaveLength(50);
  });

  it('is planned from the summary, the customer’s first words, and what was done', async () => {
    const { session, prompts } = await solve({
      replies: [
        planReply(),
        commandReply(CANCEL),
        finishReply(),
        answerReply('It is cancelled.'),
        summaryReply(),
        planReply('1. Say good-bye.'),
        finishReply(),
        answerReply('Bye.'),
      ],
      userReplies: ['Thanks!'],
      tool: () => 'seen',
    });
    expect(prompts).toEqual(['plan', 'react', 'react', 'extract', 'summary', 'replan', 'react', 'extract']);
    const summary = userText(session.asked[4]);
    expect(summary).toContain(`[[ ## user_query ## ]]\n${OPENING}`);
    expect(summary).toContain(
      `command: ${CANCEL}\nresponse: {"done": false, "observation": "seen", "source": "cancel_pending_order"}`,
    );
    expect(summary).toContain('[[ ## final_agent_response ## ]]\nIt is cancelled.');

    const query = `first_user_query: ${OPENING}\nconversation summary: The order was cancelled.\nnew_user_query: Thanks!`;
    const replan = userText(session.asked[5]);
    expect(replan).toContain(`[[ ## user_response ## ]]\n${query}`);
    expect(observation(session.asked[5], 0)).toContain('"seen"');
    const react = userText(session.asked[6]);
    expect(react).toContain(
      `[[ ## user_query ## ]]\nUser Query:\n${query}\n\nExecute these next steps:\n1. Say good-bye.`,
    );
    expect(react).not.toContain('observation_0');
    expect(react).not.toContain('cancel_pending_order');
  });

  it('remembers the answer of a turn without commands, and pays for no summary', async () => {
    const { session, prompts } = await solve({
      replies: [planReply(), finishReply(), answerReply('Which order?'), planReply(), finishReply(), answerReply()],
      userReplies: ['#W1'],
    });
    expect(prompts).not.toContain('summary');
    expect(userText(session.asked[4])).toContain(
      `user_query: ${OPENING}\nagent_answer: Which order?\nnew_user_query: #W1`,
    );
  });

  it('keeps the last five entries and the first message', async () => {
    const turn = (answer: string) => [planReply(), finishReply(), answerReply(answer)];
    const answers = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    const { session } = await solve({
      replies: answers.flatMap(turn),
      userReplies: ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'],
    });
    const last = userText(session.asked.at(-1));
    expect(last).toContain(`first_user_query: ${OPENING}\nuser_query: u1\nagent_answer: a1\n`);
    expect(last).not.toContain('a0');
    expect(last).toContain('new_user_query: u6');
  });
});
