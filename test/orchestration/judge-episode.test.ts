/** Judging one failed episode: its questions, repeated and failed calls, and their cost. */

import { describe, expect, it } from 'vitest';
import { FailureType, type FailedEpisode, type JudgeOutput } from '../../src/evaluation/index.ts';
import { judgeEpisode, type JudgePorts } from '../../src/orchestration/testing.ts';
import { failing, PlayedFailure, readPlayedFailure } from '../episode/stage.ts';

type Request = Parameters<JudgePorts['judge']>[0];
type Reply = string | null | (() => Promise<never>);

const EPISODE = { taskId: 3, trial: 0, index: null, isInfrastructure: false } as FailedEpisode;
const COST = { calls: 1, promptTokens: 100, completionTokens: 10, costUsd: 0.5 };

/** Judges an episode, whose questions get these replies in turn: the choice, null for an answer that cannot be read. */
async function judge(replies: readonly Reply[], episode = EPISODE, changes: Partial<JudgePorts> = {}) {
  const asked: Request[] = [];
  const recorded: Parameters<JudgePorts['record']>[0][] = [];
  const ports: JudgePorts = {
    judge: async (request) => {
      const reply = replies[asked.push(request) - 1];
      if (typeof reply === 'function') return await reply();
      const answer = reply === null ? null : { choice: reply, description: `It was ${String(reply)}.`, quotes: [] };
      return { ...COST, answer, ...(reply === null && { unread: '"hm"' }) } as unknown as JudgeOutput;
    },
    waitForProvider: () => Promise.resolve(false),
    record: (verdict) => Promise.resolve(void recorded.push(verdict)),
    readFailure: readPlayedFailure,
    ...changes,
  };
  return { verdict: await judgeEpisode(episode, ports), asked, recorded };
}

const places = (asked: readonly Request[]) => asked.map(({ question, attempt }) => `${question} ${attempt}`);

describe('an episode that is judged', () => {
  it('has a second question where the agent is at fault', async () => {
    const { verdict, asked, recorded } = await judge(['agent', 'took_unintended_action']);
    expect(places(asked)).toEqual(['author 1', 'fault 1']);
    expect(verdict).toMatchObject({
      ...{ author: 'agent', faultType: 'took_unintended_action', failure: null },
      spent: { calls: 2, promptTokens: 200, completionTokens: 20, costUsd: 1 },
    });
    expect(recorded).toMatchObject([{ author: { choice: 'agent' }, problem: null }]);
    expect(places((await judge(['user'])).asked)).toEqual(['author 1']);
  });

  it('needs no model where infrastructure ended it', async () => {
    const { verdict, asked } = await judge([], { ...EPISODE, isInfrastructure: true });
    expect(asked).toEqual([]);
    expect(verdict).toMatchObject({ author: 'infrastructure', spent: { calls: 0, costUsd: 0 } });
  });

  it('is asked about again for an answer that cannot be read, and stays unjudged after three', async () => {
    expect(places((await judge([null, 'environment'])).asked)).toEqual(['author 1', 'author 2']);
    const { verdict, asked, recorded } = await judge([null, null, null]);
    expect(places(asked)).toEqual(['author 1', 'author 2', 'author 3']);
    expect(verdict).toMatchObject({ author: 'unjudged', spent: { calls: 3 } });
    const problem = 'the judge\'s answer on the author cannot be read, nor could those before it: "hm"';
    expect(recorded).toMatchObject([{ author: null, problem }]);
  });

  it('keeps its author where only the second answer cannot be read', async () => {
    const { verdict, recorded } = await judge(['agent', null, null, null]);
    expect(verdict).toMatchObject({ author: 'agent', faultType: null });
    expect(recorded).toMatchObject([{ fault: null, problem: expect.stringContaining('on the fault') as string }]);
  });

  it('is unjudged where the call has failed, with the reason and what it has cost', async () => {
    const usage = { promptTokens: 7, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    const failedReplies = { ...usage, replies: 1, costUsd: null, knownCostUsd: 0.25 };
    const { verdict, recorded } = await judge([failing('ModelUnavailable', '503', { failedReplies })]);
    expect(verdict).toMatchObject({
      ...{ author: 'unjudged', failure: { type: 'ModelUnavailable', message: '503' } },
      spent: { calls: 0, promptTokens: 7, costUsd: null, knownCostUsd: 0.25 },
    });
    expect(recorded).toMatchObject([{ problem: 'ModelUnavailable: 503' }]);
  });

  it('is asked about again as long as its provider is waited for', async () => {
    const away = failing('ModelUnavailable', '503');
    const waits: number[] = [];
    const waitForProvider: JudgePorts['waitForProvider'] = (_, failedAt) =>
      Promise.resolve(waits.push(failedAt.length) < 3);
    const { verdict } = await judge([away, away, 'user'], EPISODE, { waitForProvider });
    expect(verdict).toMatchObject({ author: 'user', failure: null });
    expect(waits).toEqual([1, 2]);
  });

  it('has no verdict where it has run again meanwhile', async () => {
    expect((await judge([failing(FailureType.EpisodeGone)])).verdict).toBeNull();
  });

  it('is given up with the judge that is canceled, or has a bug', async () => {
    const canceled = new PlayedFailure('');
    const readFailure: JudgePorts['readFailure'] = (error) =>
      error === canceled ? { kind: 'canceled', message: '' } : undefined;
    for (const error of [canceled, new TypeError('a bug')]) {
      await expect(judge([() => Promise.reject(error)], EPISODE, { readFailure })).rejects.toBe(error);
    }
  });
});
