/**
 * Files that change in one go: whoever reads them sees the old content or the new, never a part, however the writer
 * dies.
 */

import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

import writeFileAtomic from 'write-file-atomic';

/** Writes a whole small file. */
export async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFileAtomic(file, text, { encoding: 'utf8' });
}

/** Text is handed to the disk in pieces of about this many characters. */
const PIECE_CHARS = 256 * 1024;

/**
 * Writes a file piece by piece, for content that should not be in memory as a whole.
 *
 * @param file the final name
 * @param scratchFolder an existing folder of the same file system, where the unfinished file grows
 * @returns the number of bytes written
 */
export async function writeStreamAtomically(
  file: string,
  pieces: AsyncIterable<string>,
  scratchFolder: string,
): Promise<number> {
  const unique = `${String(process.pid)}-${randomBytes(4).toString('hex')}`;
  const scratch = path.join(scratchFolder, `.${path.basename(file).slice(0, 60)}.${unique}.tmp`);
  const handle = await open(scratch, 'wx');
  let bytes = 0;
  try {
    try {
      let waiting = '';
      const flush = async (): Promise<void> => {
        const piece = Buffer.from(waiting, 'utf8');
        waiting = '';
        await handle.writeFile(piece);
        bytes += piece.length;
      };
      for await (const piece of pieces) {
        waiting += piece;
        if (waiting.length >= PIECE_CHARS) await flush();
      }
      await flush();
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(scratch, file);
  } catch (error) {
    await rm(scratch, { force: true });
    throw error;
  }
  return bytes;
}
