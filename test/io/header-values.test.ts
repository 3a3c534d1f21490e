/** Keys that no header can have are named by their variable and the place of the character, and never shown. */

import { describe, expect, it } from 'vitest';
import { environmentSetting, findHeaderProblem } from '../../src/io/index.ts';

const problem = (value: string, kind?: 'key' | 'text') => findHeaderProblem({ A_KEY: value }, 'A_KEY', kind);

describe('a key', () => {
  it.each(['sk-abc_DEF.123~+/=', 'c2VjcmV0==', ' sk-abc\n', '\uFEFFsk-abc', '\u00A0sk-abc\r\n', 'EMPTY'])(
    'can be sent: %j',
    (value) => {
      expect(problem(value)).toBeNull();
      expect(environmentSetting({ A_KEY: value }, 'A_KEY')).toBe(value.trim());
    },
  );

  it.each([
    ['“sk-secret”', 'A_KEY has a curly quotation mark (U+201C) at character 1; set it to the key alone'],
    ['sk-se\ncret', 'A_KEY has a line break (U+000A) at character 6; set it to the key alone'],
    ['  sk-se\r\ncret', 'A_KEY has a line break (U+000D) at character 8; set it to the key alone'],
    ['sk-secret\u200B', 'A_KEY has an invisible character (U+200B) at character 10; set it to the key alone'],
    ['sk-\uFEFFsecret', 'A_KEY has an invisible character (U+FEFF) at character 4; set it to the key alone'],
    ['sk–secret', 'A_KEY has a dash that is no hyphen (U+2013) at character 3; set it to the key alone'],
    ['sk-secrét', 'A_KEY has a character that no key has (U+00E9) at character 8; set it to the key alone'],
    ['sk-ключ', 'A_KEY has a character that no key has (U+043A) at character 4; set it to the key alone'],
    ['sk-🔑', 'A_KEY has a character that no key has (U+1F511) at character 4; set it to the key alone'],
    ['sk-sec ret', 'A_KEY has a space (U+0020) at character 7; set it to the key alone'],
    ['sk-sec\u00A0ret', 'A_KEY has a space (U+00A0) at character 7; set it to the key alone'],
    ['sk-\u0000secret', 'A_KEY has a control character (U+0000) at character 4; set it to the key alone'],
    ['"sk-secret"', 'A_KEY begins with a quotation mark at character 1; set it to the key alone'],
    ["'sk-secret'", 'A_KEY begins with a quotation mark at character 1; set it to the key alone'],
    [
      'Bearer sk-secret',
      'A_KEY begins with "Bearer", which is added by itself, at character 1; set it to the key alone',
    ],
    ['A_KEY=sk-secret', "A_KEY begins with the variable's name at character 1; set it to the key alone"],
  ])('cannot be sent: %j', (value, expected) => {
    expect(problem(value)).toBe(expected);
    expect(expected).not.toContain('sec');
  });
});

it('allows spaces and quotation marks in other values, and nothing that no header can have', () => {
  expect(problem('My "project"', 'text')).toBeNull();
  expect(problem('org\n1', 'text')).toContain('a line break (U+000A) at character 4; set it to the text alone');
});

it.each([undefined, '', ' \n'])('says nothing of a variable that is not set: %j', (value) => {
  expect(findHeaderProblem({ A_KEY: value }, 'A_KEY')).toBeNull();
});
