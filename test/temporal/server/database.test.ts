/** A database of the local server that is damaged, and its way out. */

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { findDamage, setAside } from '../../../src/temporal/server/testing.ts';
import { scratchFolder } from '../../results/fixtures.ts';

/** Header of a database with pages of 4,096 bytes. */
function header(pages: number): Buffer {
  const bytes = Buffer.alloc(100);
  bytes.write('SQLite format 3\0', 'latin1');
  bytes.writeUInt16BE(4_096, 16);
  bytes.writeUInt32BE(pages, 28);
  return bytes;
}

const whole = Buffer.concat([header(2), Buffer.alloc(2 * 4_096 - 100)]);

describe('a database', () => {
  it.each([
    ['empty', Buffer.alloc(0), 'it is empty'],
    ['cut within its header', whole.subarray(0, 50), 'it is no SQLite database'],
    ['junk', Buffer.from('junk'.repeat(1_000)), 'it is no SQLite database'],
    ['cut', whole.subarray(0, 5_000), 'its end is missing'],
    ['whole', whole, null],
  ])('that is %s is found to be so', async (_name, content, damage) => {
    const file = join(scratchFolder(), 'temporal.db');
    writeFileSync(file, content);
    expect(await findDamage(file)).toBe(damage);
  });

  it('that is not there is not damaged; one whose end may be in its write-ahead log neither', async () => {
    const file = join(scratchFolder(), 'temporal.db');
    expect(await findDamage(file)).toBeNull();
    writeFileSync(file, whole.subarray(0, 5_000));
    writeFileSync(`${file}-wal`, 'pages');
    expect(await findDamage(file)).toBeNull();
  });

  it('is moved aside with its log', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'temporal.db');
    expect(await setAside(file, new Date(0))).toBeNull();
    writeFileSync(file, 'database');
    writeFileSync(`${file}-wal`, 'log');
    const aside = await setAside(file, new Date(0));
    expect(readdirSync(folder)).toEqual([
      'temporal.db.1970-01-01T00-00-00-000Z',
      'temporal.db.1970-01-01T00-00-00-000Z-wal',
    ]);
    expect(readFileSync(aside ?? '', 'utf8')).toBe('database');
  });
});
