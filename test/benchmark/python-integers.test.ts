import { describe, expect, it } from 'vitest';
import { lastTwo, parseInteger } from '../../src/benchmark/python/integers.ts';
import { lower } from '../../src/benchmark/python/text.ts';

describe('int() of a text', () => {
  it('reads the digits of every script, the mathematical ones included', () => {
    expect(['٣', '１２', '߉', '𝟎', '𝟚', '𝟡', '𝟿', '🯰'].map(parseInteger)).toEqual([3n, 12n, 9n, 0n, 2n, 9n, 9n, 0n]);
  });

  it('knows no digits that came after Unicode 14.0', () => {
    expect(() => parseInteger('\u{11f53}')).toThrow("invalid literal for int() with base 10: '\\U00011f53'");
    expect(() => parseInteger('\u{10d45}')).toThrow("invalid literal for int() with base 10: '\\U00010d45'");
  });

  it('passes over white space, but not over the separators that strip() takes for such', () => {
    expect([' 8\n', '\u30008', '8\u0085', '1_0'].map(parseInteger)).toEqual([8n, 8n, 8n, 10n]);
    expect(() => parseInteger('\u001c8')).toThrow("invalid literal for int() with base 10: '\\x1c8'");
    expect(() => parseInteger('7\u001f')).toThrow("invalid literal for int() with base 10: '7\\x1f'");
  });

  it('shows 200 characters of what it cannot read', () => {
    expect(() => parseInteger('x'.repeat(300))).toThrow(
      new RegExp(`^invalid literal for int\\(\\) with base 10: 'x{199}$`),
    );
  });

  it('is given the last two characters, not the last two UTF-16 units', () => {
    expect(lastTwo('2024-05-😀9')).toBe('😀9');
    expect(() => lastTwo(new Map())).toThrow("unhashable type: 'slice'");
    expect(() => lastTwo(null)).toThrow("'NoneType' object is not subscriptable");
  });
});

describe('lower()', () => {
  it('leaves capitals alone that came after Unicode 14.0, and ends words at them', () => {
    expect(lower('A\ua7cbB')).toBe('a\ua7cbb');
    expect(lower('\u{10d50}\u1c89')).toBe('\u{10d50}\u1c89');
    // Not followed by a letter that Python knows, so it is a final sigma.
    expect(lower('ΑΣ\u{10d50}Α')).toBe('ας\u{10d50}α');
  });
});
