import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEPT, askShortened } from '../../../src/agents/fastworkflow/testing.ts';
import { AgentError } from '../../../src/agents/index.ts';
import { fakeSession, type ScriptedReply } from '../fake-session.ts';
import { answerReply, askReply, commandReply, finishReply, planReply, summaryReply } from './replies.ts';
import { CANCEL, LOOK, OPENING, shownCycles, solve, userText } from './rig.ts';

const tooLong: ScriptedReply = () => {
  throw new AgentError('context_overflow', 'the prompt is too long');
};
const looks = (n: number) =>
  Array.from({ length: n }, (_, at) => commandReply(LOOK.replace('#W1', `#W${String(at + 1)}`)));

describe('a prompt that does not fit', () => {
  it('is sent again without its oldest cycle, with query and numbering', async () => {
    const { session, end } = await solve({
      replies: [planReply(), ...looks(5), tooLong, finishReply(), answerReply()],
    });
    expect(end).toBe('done');
    expect(shownCycles(session.asked[6])).toEqual([0, 1, 2, 3, 4]);
    expect(shownCycles(session.asked[7])).toEqual([1, 2, 3, 4]);
    expect(userText(session.asked[7])).toContain('[[ ## thought_1 ## ]]');
    expect(userText(session.asked[7])).not.toContain('_0 ## ]]');
    expect(userText(session.asked[7])).toContain(OPENING);
    expect(session.counts.get('trajectory_truncations')).toBe(1);
  });

  it('loses one cycle, then two more, then all but the last three', async () => {
    const { session } = await solve({
      replies: [planReply(), ...looks(9), tooLong, tooLong, tooLong, finishReply(), answerReply()],
    });
    expect([10, 11, 12, 13].map((call) => shownCycles(session.asked[call])[0])).toEqual([0, 1, 3, 6]);
    expect(shownCycles(session.asked[13])).toEqual([6, 7, 8]);
    expect(session.counts.get('trajectory_truncations')).toBe(3);
  });

  it('ends the episode if the last three cycles are still too long', async () => {
    const attempt = solve({ replies: [planReply(), ...looks(4), tooLong, tooLong] });
    await expect(attempt).rejects.toMatchObject({ kind: 'context_overflow' });
  });

  it('is not sent again if there is nothing to leave out', async () => {
    await expect(solve({ replies: [tooLong] })).rejects.toMatchObject({ kind: 'context_overflow' });
    await expect(solve({ replies: [planReply(), ...looks(3), tooLong] })).rejects.toBeInstanceOf(AgentError);
  });

  it('leaves the same cycles out of later prompts of the turn', async () => {
    const { session, prompts } = await solve({
      replies: [
        planReply(),
        ...looks(5),
        tooLong,
        askReply('Really?'),
        planReply(),
        finishReply(),
        answerReply('Well.'),
        summaryReply(),
        planReply(),
        finishReply(),
        answerReply(),
      ],
      userReplies: ['Yes.', 'Thanks.'],
    });
    const first = session.asked.map((asked, i) => [prompts[i], shownCycles(asked)[0]]);
    expect(first.slice(7)).toEqual([
      ['react', 1],
      ['replan', 1],
      ['react', 1],
      ['extract', 1],
      ['summary', undefined],
      ['replan', 1],
      ['react', undefined],
      ['extract', 0],
    ]);
  });

  it.each([
    ['the answer', [finishReply(), tooLong, answerReply()]],
    ['the plan for an answer', [askReply('Really?'), tooLong, planReply(), finishReply(), answerReply()]],
    [
      'the plan after an error',
      [commandReply('get_order_details'), tooLong, planReply(), finishReply(), answerReply()],
    ],
    ['the JSON form', ['Hm.', tooLong, finishReply(), answerReply()]],
  ])('is shortened for %s too, and no command runs again', async (name, replies) => {
    const { session, end } = await solve({
      replies: [planReply(), ...looks(4), ...replies],
      userReplies: name === 'the plan for an answer' ? ['Yes.'] : [],
    });
    expect(end).toBe('done');
    expect(session.counts.get('trajectory_truncations')).toBe(1);
    expect(session.steps.filter((step) => step.startsWith('get_order_details'))).toHaveLength(4);
  });

  it('loses the oldest records of a summary', async () => {
    const { session } = await solve({
      replies: [
        planReply(),
        commandReply(CANCEL),
        ...looks(4),
        finishReply(),
        answerReply('Well.'),
        tooLong,
        summaryReply(),
        planReply(),
        finishReply(),
        answerReply(),
      ],
      userReplies: ['Thanks.'],
    });
    const [whole, shortened] = [userText(session.asked[8]), userText(session.asked[9])];
    expect(whole).toContain(CANCEL);
    expect(shortened).not.toContain(CANCEL);
    expect(shortened.match(/^command: /gm)).toHaveLength(4);
    expect(session.counts.get('summary_truncations')).toBe(1);
  });

  it('rejects with every other failure at once', async () => {
    const filtered: ScriptedReply = () => {
      throw new AgentError('content_filter', 'withheld');
    };
    const attempt = solve({ replies: [planReply(), ...looks(5), filtered] });
    await expect(attempt).rejects.toMatchObject({ kind: 'content_filter' });
  });
});

describe('leaving out the oldest', () => {
  it('makes at most four calls, always with the last three cycles and never with omitted ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.nat(30), fc.nat(5), async (length, start, fits) => {
        const from = Math.min(start, length);
        const session = fakeSession({ replies: [] });
        const asked: number[] = [];
        const ask = (shownFrom: number) => {
          asked.push(shownFrom);
          if (asked.length <= fits) return Promise.reject(new AgentError('context_overflow', 'too long'));
          return Promise.resolve('answer');
        };
        const answer = await askShortened(session, { length, from, count: 'x' }, ask).catch(() => 'gave up');
        expect(asked.length).toBeLessThanOrEqual(4);
        expect(asked[0]).toBe(from);
        expect(asked).toEqual([...new Set(asked)].sort((a, b) => a - b));
        for (const shownFrom of asked) expect(length - shownFrom).toBeGreaterThanOrEqual(Math.min(KEPT, length - from));
        if (answer === 'gave up') expect(asked.at(-1)).toBe(Math.max(from, length - KEPT));
      }),
    );
  });
});
