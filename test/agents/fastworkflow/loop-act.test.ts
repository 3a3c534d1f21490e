import { describe, expect, it } from 'vitest';
import type { StrategyOptions } from '../../../src/agents/port.ts';
import { OPTIONS } from '../fake-session.ts';
import { answerReply, commandReply, finishReply, planReply, summaryReply } from './replies.ts';
import { LOOK, observation, solve, userText } from './rig.ts';

describe('the Act variant', () => {
  const options: StrategyOptions = { ...OPTIONS, useReasoning: false };
  const act = (reply: string) => reply.replace('[[ ## next_thought ## ]]\nGo on.\n\n', '');
  const wrong = '{"next_tool_name": "search", "next_tool_args": {}}';
  const replies = [
    planReply(),
    act(commandReply(LOOK)),
    wrong,
    wrong,
    act(finishReply()),
    answerReply(),
    summaryReply(),
  ];

  it('asks for no thought, and shows none, also after a tool that does not exist', async () => {
    const { session, end } = await solve({ replies, options });
    expect(end).toBe('done');
    for (const asked of session.asked) expect(JSON.stringify(asked.messages)).not.toContain('thought');
    expect(observation(session.asked[4], 2)).toContain('Choose one of the tools');
  });

  it('leaves the reasoning of planner, answer and summary as it is', async () => {
    const bye = [planReply(), act(finishReply()), answerReply()];
    const { session, prompts } = await solve({ replies: [...replies, ...bye], options, userReplies: ['Thanks.'] });
    const reasoning = session.asked.map((asked) => userText(asked).split('\n').at(-1)?.includes('reasoning'));
    expect(prompts.map((name, i) => [name, reasoning[i]])).toEqual([
      ['plan', true],
      ['react', false],
      ['react', false],
      ['react', false],
      ['react', false],
      ['extract', true],
      ['summary', true],
      ['replan', true],
      ['react', false],
      ['extract', true],
    ]);
  });

  it('ignores a thought that the model writes all the same', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply(LOOK), finishReply(), answerReply()],
      options,
    });
    for (const asked of session.asked) expect(JSON.stringify(asked.messages)).not.toContain('thought');
  });
});
