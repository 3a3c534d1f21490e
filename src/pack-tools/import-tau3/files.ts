/** The files of a tau2-bench checkout, each read on demand. */

import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PackError, decodePackText } from '../../benchmarks/packs/index.ts';

/** Largest file in bytes, much larger than any in the repository. */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/** Files of a folder, each read on demand. */
export class Tau3Files {
  readonly #folder: string;
  /** Folder or URL for messages. */
  readonly shown: string;

  constructor(folder: string, shown = folder) {
    this.#folder = folder;
    this.shown = shown;
  }

  /** @returns undefined if there is no such file, or it is a link */
  async find(path: string): Promise<Buffer | undefined> {
    const place = join(this.#folder, path);
    const found = await lstat(place).catch(() => undefined);
    if (found?.isFile() !== true) return undefined;
    if (found.size > MAX_FILE_BYTES) {
      throw new PackError(`${path}: ${String(found.size)} bytes are too many for a file of τ³-bench.`);
    }
    try {
      return await readFile(place);
    } catch (error) {
      throw new PackError(`${path}: the file cannot be read (${String(error)}).`);
    }
  }

  /** @throws PackError naming the missing file */
  async bytes(path: string): Promise<Buffer> {
    const bytes = await this.find(path);
    if (bytes !== undefined) return bytes;
    throw new PackError(`${this.shown}: there is no ${path}; give the root folder of a tau2-bench checkout of 1.x.`);
  }

  /** Returns a text with `\n` at the end of lines, as Python reads it. */
  async text(path: string): Promise<string> {
    return decodePackText(path, await this.bytes(path)).replaceAll('\r\n', '\n');
  }
}
