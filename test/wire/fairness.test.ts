import { describe, expect, it } from 'vitest';
import { fairnessKey } from '../../src/wire/fairness.ts';

describe('the fairness key of a run', () => {
  it('is its id where the server takes it', () => {
    expect(fairnessKey('nightly-1')).toBe('nightly-1');
    expect(fairnessKey('x'.repeat(64))).toBe('x'.repeat(64));
  });

  it('of a long id is short, begins alike, and tells ids apart that differ at the end', () => {
    const [one, two] = ['_1121231500', '_1121231501'].map((end) => fairnessKey(`${'tool-calling-'.repeat(8)}${end}`));
    expect(one).toMatch(/^tool-calling-tool-calling-.*~[0-9a-f]{16}$/);
    expect(one).toHaveLength(64);
    expect(one).not.toBe(two);
  });
});
