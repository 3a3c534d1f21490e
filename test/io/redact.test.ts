import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyRemover, createRedactor } from '../../src/io/index.ts';
import { KEY } from '../models/helpers.ts';

const hexOf = (mark: string) => [...Buffer.from(KEY)].map((byte) => byte.toString(16).padStart(2, '0')).join(mark);

describe('redaction', () => {
  it.each([
    ['decimal', (code: number) => `&#${code};`],
    ['hexadecimal', (code: number) => `&#x${code.toString(16).toUpperCase()};`],
    ['decimal, escaped again', (code: number) => `&amp;#${code};`],
  ])('removes a key as %s HTML entities', (_form, entity) => {
    const text = [...Buffer.from(KEY)].map(entity).join('');
    const clean = createKeyRemover([KEY])(`before ${text} after`);
    expect(clean).toMatch(/^before \S{0,7}\[redacted\]\S{0,3} after$/);
  });

  it.each([
    ['as it is', KEY],
    ['URL-encoded', encodeURIComponent(KEY)],
    ['in base64', Buffer.from(KEY).toString('base64')],
    ['in upper case', KEY.toUpperCase()],
    ['URL-encoded twice', encodeURIComponent(encodeURIComponent(`${KEY}/+`))],
    ['URL-encoded twice throughout', hexOf('%25')],
    ['as JSON in JSON', JSON.stringify(JSON.stringify(KEY)).slice(3, -3)],
    ['in JSON escapes, escaped again', hexOf('\\\\u00')],
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

  it('does not change ordinary messages', () => {
    const text = 'Rate limit reached for gpt-4o in organization org-1 on tokens per min; task-1234567 risk-averse';
    expect(createRedactor([KEY])(text)).toBe(text);
  });

  it.each(['EMPTY', 'ollama', 'lm-studio', 'sk-1234', '12345678', 'none', ''])(
    'does not remove the placeholder %j',
    (key) => {
      const text = `The box ${key} is ${key}${key}.`;
      expect(createKeyRemover([key])(text)).toBe(text);
    },
  );

  it.each(['hunter2', 'aB3dE6', 'abc12345', 'Xy-9zQ!w', 'correct horse'])('removes the short key %j', (key) => {
    const basic = Buffer.from(`user:${key}`).toString('base64');
    const clean = createKeyRemover([key])(
      `${key} ${encodeURIComponent(key)} ${Buffer.from(key).toString('hex')} ${basic}`,
    );
    expect(clean).not.toContain(key);
    expect(clean).not.toContain(Buffer.from(key).toString('hex'));
    expect(Buffer.from(clean.split(' ').at(-1) ?? '', 'base64').toString()).not.toContain(key);
  });

  it.each(['Ab3dEf6hJk1', 'abcdefghijkl', 'abcdefghijklm', 'Ab3dEf6hJk1mNp4qRs7tUv0'])(
    'removes the key %j in each form, and no shorter word that looks like it',
    (key) => {
      const bytes = Buffer.from(key);
      const forms = [
        key,
        bytes.toString('base64'),
        bytes.toString('base64').replace(/=+$/, ''),
        bytes.toString('base64url'),
        bytes.toString('hex'),
        bytes.toString('hex').toUpperCase(),
      ];
      const remove = createKeyRemover([key]);
      // The last character of base64 may be another's in part, and stays.
      for (const form of forms) expect(remove(`a ${form} b`)).toMatch(/^a \[redacted\]\S{0,3} b$/);
      expect(remove(`a ${key.slice(0, 5)} b`)).toBe(`a ${key.slice(0, 5)} b`);
    },
  );

  it('removes words of twelve letters as keys, and no word of eleven', () => {
    expect(createKeyRemover(['abcdefghijk'])('an abcdefghijk')).toBe('an abcdefghijk');
    expect(createKeyRemover(['abcdefghijkl'])('an abcdefghijkl')).toBe('an [redacted]');
  });

  it('removes the whole of a key that another one begins', () => {
    const longer = `${KEY}-and-more-0123456789`;
    for (const keys of [
      [KEY, longer],
      [longer, KEY],
    ]) {
      expect(createKeyRemover(keys)(`a ${KEY} b ${longer} c`)).toBe('a [redacted] b [redacted] c');
    }
  });

  it('does not change a long text without a key', () => {
    const text = 'Your order #W5442520 with items 1421289881, 9647292434 is on its way. '.repeat(1000);
    expect(createKeyRemover([KEY, 'sk-proj-another-0123456789abcdef'])(text)).toBe(text);
  });

  it('takes linear time', () => {
    const repeated = 'x'.repeat(300);
    const hex = Buffer.from(KEY).toString('hex');
    const halves = [
      KEY.slice(3, 15),
      hex.slice(0, 20),
      hex.toUpperCase().slice(4, 24),
      'x'.repeat(15),
      KEY.slice(0, 11),
    ];
    const remove = createKeyRemover([KEY, repeated, `${KEY}${KEY}`]);
    const { user } = process.cpuUsage();
    for (const text of [...halves, 'x', KEY]) remove(text.repeat(Math.ceil(1_000_000 / text.length)));
    // About a second; quadratic it would be hours.
    expect(process.cpuUsage().user - user).toBeLessThan(60_000_000);
  });
});

const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789-_.~+/=&<"\\';

describe('whatever encoding a key is in', () => {
  const text = fc.string({ maxLength: 60 });
  // As providers draw them: of many signs, without long repetitions.
  const key = fc.tuple(fc.nat(), fc.integer({ min: 12, max: 120 })).map(([seed, length]) => {
    const digest = createHash('sha512').update(String(seed)).digest();
    return [...digest, ...digest.toReversed()]
      .map((byte) => SIGNS[byte % SIGNS.length])
      .join('')
      .slice(0, length);
  });
  const bytewise = (mark: string, isUpper: boolean) => (bytes: Buffer) =>
    [...bytes]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .map((pair) => mark + (isUpper ? pair.toUpperCase() : pair))
      .join('');
  const wrapped = (encoded: string) => encoded.replace(/.{76}/g, '$&\n');
  const ENCODINGS: Readonly<Record<string, (bytes: Buffer) => string>> = {
    plain: (bytes) => bytes.toString(),
    url: (bytes) => encodeURIComponent(bytes.toString()),
    json: (bytes) => JSON.stringify(bytes.toString()),
    'JSON with escaped slashes': (bytes) => JSON.stringify(bytes.toString()).replaceAll('/', '\\/'),
    base64: (bytes) => bytes.toString('base64'),
    'unpadded base64': (bytes) => bytes.toString('base64').replace(/=+$/, ''),
    base64url: (bytes) => bytes.toString('base64url'),
    'base64 in a URL': (bytes) => encodeURIComponent(bytes.toString('base64')),
    'base64 in lines': (bytes) => wrapped(bytes.toString('base64')),
    hex: bytewise('', false),
    HEX: bytewise('', true),
    '%hex': bytewise('%', true),
    'hex with blanks': bytewise(' ', false),
    '\\xhex': bytewise('\\x', false),
    '\\uhex': bytewise('\\u00', false),
  };

  /** Every window of the encoded text that is the key's alone. */
  function windowsOf(encode: (bytes: Buffer) => string, before: Buffer, secret: Buffer, after: Buffer): Set<string> {
    const whole = encode(Buffer.concat([before, secret, after]));
    // What stays the same whatever stands around the key: quotes and padding at an end do not. Three bytes keep base64's
    // alignment.
    const others = ['\0', 'z', '\x7f'].map((other) =>
      encode(Buffer.concat([Buffer.alloc(before.length || 3, other), secret, Buffer.alloc(after.length || 3, other)])),
    );
    const length = Math.max(16, Math.ceil((12 * whole.length) / (before.length + secret.length + after.length)));
    const windows = new Set<string>();
    for (let at = 0; at + length <= whole.length; at++) {
      const window = whole.slice(at, at + length);
      if (others.every((other) => other.includes(window))) windows.add(window);
    }
    return windows;
  }

  it.each(Object.keys(ENCODINGS))('leaves no readable window of it: %s', (name) => {
    const encode = ENCODINGS[name] ?? String;
    const around = fc.constantFrom('', 'Bearer ', 'user:', 'x', '{"authorization":"Bearer ', 'Basic ', 'ab', 'abc');
    fc.assert(
      fc.property(text, around, key, around, text, fc.nat(), (left, before, secret, after, right, cut) => {
        const bytes = [before, secret, after].map((part) => Buffer.from(part)) as [Buffer, Buffer, Buffer];
        const encoded = encode(Buffer.concat(bytes));
        // A message that was cut short has a part of it only.
        const quoted = encoded.slice(0, cut % 3 === 0 ? cut % encoded.length : encoded.length);
        const clean = createKeyRemover([secret])(`${left}${quoted}${right}`);
        for (const window of windowsOf(encode, ...bytes)) expect(clean).not.toContain(window);
      }),
      { numRuns: 100 },
    );
  });
});
