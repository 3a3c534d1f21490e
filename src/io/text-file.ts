/** Decodes users' files, which editors and shells of every system write differently. */

/**
 * Decodes UTF-8, and UTF-16 in either byte order, and drops a byte order mark. UTF-16 without a mark is recognized by
 * its first character, which is ASCII in all files that are read.
 * @param fatal true to throw for bytes that are not UTF-8, instead of replacing them. @default false
 * @throws TypeError for bytes that are not UTF-8, if `fatal`
 */
export function decodeText(bytes: Uint8Array, fatal = false): string {
  return new TextDecoder(detectEncoding(bytes), { fatal }).decode(bytes);
}

function detectEncoding([first, second]: Uint8Array): string {
  if ((first === 0xff && second === 0xfe) || (isAscii(first) && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && isAscii(second))) return 'utf-16be';
  return 'utf-8';
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}
