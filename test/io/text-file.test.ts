/** Texts in the encodings in which people's programs write them. */

import { describe, expect, it } from 'vitest';

import { decodeText } from '../../src/io/index.ts';

const TEXT = '{"name": "Zoë 🚀"}\r\n';
const littleEndian = (text: string) => Buffer.from(text, 'utf16le');
const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`)],
    ['UTF-16, little end first', littleEndian(`\uFEFF${TEXT}`)],
    ['UTF-16, big end first', bigEndian(`\uFEFF${TEXT}`)],
    ['UTF-16 without a mark', littleEndian(TEXT)],
    ['UTF-16 of the other order without a mark', bigEndian(TEXT)],
  ])('reads %s', (_, bytes) => {
    expect(decodeText(bytes)).toBe(TEXT);
  });

  it('reads a text of no bytes, and of a mark alone', () => {
    expect(decodeText(Buffer.alloc(0))).toBe('');
    expect(decodeText(Buffer.from('\uFEFF'))).toBe('');
  });

  it('replaces bytes that are not UTF-8, or throws for them', () => {
    const bytes = Buffer.from([0x61, 0xe9, 0x62]);
    expect(decodeText(bytes)).toBe('a\uFFFDb');
    expect(() => decodeText(bytes, true)).toThrow(TypeError);
  });
});
