import { describe, expect, it } from 'vitest';
import { findStrategy, strategies } from '../../src/agents/index.ts';

describe('the registry of strategies', () => {
  it('finds each strategy by its own name', () => {
    expect(Object.keys(strategies)).toEqual([
      'tool-calling',
      'act',
      'react',
      'few-shot',
      'fastworkflow',
      'agent-service',
    ]);
    for (const [name, strategy] of Object.entries(strategies)) {
      expect(strategy.name).toBe(name);
      expect(findStrategy(name)).toBe(strategy);
    }
  });

  it.each(['toolcalling', '', 'toString', '__proto__'])('finds nothing for %j', (name) => {
    expect(findStrategy(name)).toBeUndefined();
  });
});
