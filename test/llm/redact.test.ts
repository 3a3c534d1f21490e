import { describe, expect, it } from 'vitest';
import { createKeyRemover, createRedactor } from '../../src/llm/redact.ts';
import { KEY } from './helpers.ts';

describe('redaction', () => {
  it.each([
    ['as it is', KEY],
    ['URL-encoded', encodeURIComponent(KEY)],
    ['in base64', Buffer.from(KEY).toString('base64')],
  ])('removes a key %s', (_form, spelling) => {
    expect(createRedactor([KEY])(`before ${spelling} after`)).toMatch(/^before \[redacted\]\S* after$/);
    expect(createKeyRemover([KEY])(`before ${spelling} after`)).not.toContain(spelling);
  });

  it.each([
    ['Incorrect API key provided: sk-abc*******wxyz. You can find…', 'sk-abc'],
    ['Incorrect API key provided: 0123abcd****wxyz.', '0123abcd'],
    ['header Authorization: Bearer eyJhbGciOi.xyz refused', 'eyJhbGciOi'],
    ['{"api_key": "verysecret"}', 'verysecret'],
  ])('removes what has the shape of a key from %j', (text, secret) => {
    expect(createRedactor([null])(text)).not.toContain(secret);
  });

  it('leaves ordinary messages alone', () => {
    const text = 'Rate limit reached for gpt-4o in organization org-1 on tokens per min; task-1234567 risk-averse';
    expect(createRedactor([KEY])(text)).toBe(text);
  });

  it('does not take a placeholder key for a secret', () => {
    expect(createKeyRemover(['EMPTY'])('The box is EMPTY.')).toBe('The box is EMPTY.');
  });
});
