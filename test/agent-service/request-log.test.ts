import { describe, expect, it } from 'vitest';
import { RequestLog } from '../../src/agent-service/pure.ts';

type Log = RequestLog<number, string, string, string>;
const newLog = (): Log => new RequestLog();

/** Makes a tool call as the episode does; a place is the number of calls before it. */
function call(log: Log, attempt: number, name: string, place: number): string {
  const verdict = log.toolCall(attempt, name);
  if (verdict.kind === 'recorded') return `recorded ${verdict.result}`;
  if (verdict.kind !== 'live') return verdict.kind;
  log.toolTaken(name, verdict.goBackTo ?? place, name);
  return verdict.goBackTo === undefined ? 'live' : `live from ${verdict.goBackTo}`;
}

describe('tool calls of a request', () => {
  it('are carried out once, however often the request is made', () => {
    const log = newLog();
    expect([call(log, 1, 'a', 0), call(log, 1, 'a', 1)]).toEqual(['live', 'live']);
    expect([call(log, 2, 'a', 2), call(log, 2, 'a', 2), call(log, 2, 'b', 2)]).toEqual([
      'recorded a',
      'recorded a',
      'live',
    ]);
    expect(call(log, 3, 'a', 3)).toBe('recorded a');
  });

  it('go back to the common beginning at the first difference', () => {
    const log = newLog();
    for (const [place, name] of ['a', 'b', 'c'].entries()) call(log, 1, name, place);
    expect([call(log, 2, 'a', 3), call(log, 2, 'x', 3), call(log, 2, 'c', 2)]).toEqual([
      'recorded a',
      'live from 1',
      'live',
    ]);
    expect([call(log, 3, 'a', 3), call(log, 3, 'x', 3), call(log, 3, 'c', 3)]).toEqual([
      'recorded a',
      'recorded x',
      'recorded c',
    ]);
  });

  it('of an attempt before the last are refused', () => {
    const log = newLog();
    call(log, 1, 'a', 0);
    call(log, 2, 'a', 1);
    expect(call(log, 1, 'b', 1)).toBe('stale');
  });

  it('of a request that has its answer are those before it, or the agent has diverged', () => {
    const log = newLog();
    call(log, 1, 'a', 0);
    expect(log.end(1, 'done')).toBeUndefined();
    expect([call(log, 2, 'a', 1), call(log, 2, 'b', 1)]).toEqual(['recorded a', 'diverged']);
    expect(call(log, 3, 'b', 1)).toBe('diverged');
    expect(log.toolCall(4, 'b')).toEqual({ kind: 'diverged', before: 'a' });
  });
});

describe('the end of a request', () => {
  const begun = () => {
    const log = newLog();
    for (const [place, name] of ['a', 'b'].entries()) call(log, 1, name, place);
    return log;
  };

  it('takes nothing back after an only attempt', () => {
    expect(begun().end(1, 'done')).toBeUndefined();
  });

  it('takes back what the last attempt did not do again', () => {
    const log = begun();
    call(log, 2, 'a', 2);
    expect(log.end(2, 'done')).toBe(1);
  });

  it('leaves all as it is after an answer that the agent remembers', () => {
    expect(begun().end(2, 'done')).toBeUndefined();
    const log = begun();
    expect(log.end(2, 'done', 1)).toBeUndefined();
  });

  it('takes all back for an attempt without a call whose answer is its own', () => {
    expect(begun().end(2, 'done', 2)).toBe(0);
  });
});

describe('model calls of a request', () => {
  const asked = (log: Log, attempt: number, digest: string, result = digest) => {
    const made = Promise.resolve(result);
    log.modelAsked(attempt, digest, made);
    return made;
  };

  it('answer the same request of a later attempt, each once', async () => {
    const log = newLog();
    await asked(log, 1, 'd', 'first');
    expect(log.modelCall(1, 'd')).toBeUndefined();
    await asked(log, 1, 'd', 'second');
    expect(await log.modelCall(2, 'd')).toBe('first');
    expect(await log.modelCall(2, 'd')).toBe('second');
    expect(log.modelCall(2, 'd')).toBeUndefined();
    expect(log.modelCall(2, 'e')).toBeUndefined();
    expect(await log.modelCall(3, 'd')).toBe('first');
    expect(log.modelCall(2, 'd')).toBe('stale');
  });

  it('are waited for where they are under way', async () => {
    const log = newLog();
    let answer: (text: string) => void = () => undefined;
    log.modelAsked(1, 'd', new Promise((resolve) => (answer = resolve)));
    const second = log.modelCall(2, 'd');
    answer('late');
    expect(await second).toBe('late');
  });

  it('are made again once they are forgotten', async () => {
    const log = newLog();
    const [refused, answered] = [Promise.resolve('no'), Promise.resolve('yes')];
    log.modelAsked(1, 'd', refused);
    log.modelAsked(1, 'e', answered);
    log.modelRefused(refused);
    log.forgetRefused();
    expect(log.modelCall(2, 'd')).toBeUndefined();
    expect(await log.modelCall(2, 'e')).toBe('yes');
  });

  it('are made again after a failure', async () => {
    const log = newLog();
    const failed = Promise.reject<string>(new Error('away'));
    log.modelAsked(1, 'd', failed);
    await expect(failed).rejects.toThrow('away');
    await Promise.resolve();
    expect(log.modelCall(2, 'd')).toBeUndefined();
  });
});
