import { describe, expect, it } from 'vitest';

import { ErrorsBooks } from '../../workflows/errors-books.ts';
import type { GivenVerdict } from '../../workflows/errors-episode.ts';

const spent = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };
/** The episode failed by infrastructure: no model was asked. */
const needsNone: GivenVerdict = { author: 'infrastructure', faultType: null, spent, failure: null };
const refused: GivenVerdict = {
  author: 'unjudged',
  faultType: null,
  spent,
  failure: { type: 'RequestRefused', message: 'no such model' },
};

describe('a judge’s breaker', () => {
  it('stops after two refusals in a row, whatever needed no model between them', () => {
    const books = new ErrorsBooks({ maxCostUsd: null });
    books.enter(refused);
    books.enter(needsNone);
    expect(books.halted).toBeNull();
    books.enter(refused);
    expect(books.halted).toBe('RequestRefused: no such model');
  });

  it('does not take an episode that needed no model for one that the judge has answered', () => {
    const books = new ErrorsBooks({ maxCostUsd: null });
    books.enter(needsNone);
    books.enter(refused);
    books.enter(refused);
    expect(books.halted).toBe('RequestRefused: no such model');
  });

  it('goes on where the judge has answered', () => {
    const books = new ErrorsBooks({ maxCostUsd: null });
    books.enter({ author: 'agent', faultType: null, spent, failure: null });
    books.enter(refused);
    books.enter(refused);
    expect(books.halted).toBeNull();
  });
});
