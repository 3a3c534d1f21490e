import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';

import { describeKeys, readKeyRing } from '../../../src/temporal/codec/index.ts';

const bytes = randomBytes(32);
const key = bytes.toString('base64');
const other = randomBytes(32).toString('base64url');
const ringOf = (value?: string) => readKeyRing(value === undefined ? {} : { TAUFLOW_ENCRYPTION_KEY: value });

describe('the key ring', () => {
  it('is empty where the variable is not set, or empty', () => {
    expect(ringOf()).toEqual([]);
    expect(ringOf(' ')).toEqual([]);
    expect(describeKeys([])).toBe('none');
  });

  it('calls a key without a name by its digest', () => {
    const [only] = ringOf(key);
    expect(only?.id).toBe(createHash('sha256').update(bytes).digest('hex').slice(0, 8));
    expect(only?.secret.export()).toEqual(bytes);
  });

  it('has several keys in their order, in both spellings of base64', () => {
    const ring = ringOf(`2026-11:${key}, old:${other}`);
    expect(ring.map(({ id }) => id)).toEqual(['2026-11', 'old']);
    expect(ring[1]?.secret.export().toString('base64url')).toBe(other);
    expect(describeKeys(ring)).toBe('2026-11 (decrypts old as well)');
  });

  it('shows its keys to nobody who prints it', () => {
    const printed = inspect(ringOf(key), { depth: 9, showHidden: true }) + JSON.stringify(ringOf(key));
    expect(printed).not.toContain(key);
    expect(printed).not.toContain(bytes.toString('hex'));
  });

  it.each([
    ['no base64', 'not a key!', /has no 32 bytes in base64 as its key number 1/],
    ['too short', randomBytes(16).toString('base64'), /has no 32 bytes/],
    ['too long', randomBytes(33).toString('base64'), /has no 32 bytes/],
    ['nothing after the comma', `${key},`, /as its key number 2/],
    ['no key after an id', 'a:', /has no 32 bytes/],
    ['an id twice', `a:${key},a:${other}`, /two keys of the id a;/],
    ['the same key twice', `${key},${key}`, /two keys of the id [0-9a-f]{8};/],
    ['an id with other characters', `a b:${key}`, /an id of other characters/],
  ])('refuses %s in one sentence that holds nothing of it', (_, value, reason) => {
    expect(() => ringOf(value)).toThrow(reason);
    try {
      ringOf(value);
    } catch (error) {
      const { message, kind } = error as { message: string; kind: string };
      expect(kind).toBe('bad-configuration');
      expect(message).toMatch(/^TAUFLOW_ENCRYPTION_KEY .*; write it as BASE64 .* or unset it$/);
      for (const secret of [key, other, 'not a key']) expect(message).not.toContain(secret);
    }
  });
});
