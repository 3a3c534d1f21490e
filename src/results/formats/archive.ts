/** Entries of a zip archive, unpacked one at a time: stored, deflated, or by Zstandard, which Inspect writes. */

import { Decompress } from 'fzstd';
import { fromFd, type Entry, type ZipFile } from 'yauzl';
import { openSync } from 'node:fs';
import { promisify } from 'node:util';
import { ResultsError } from '../../run-log/index.ts';
import { damagedFileError } from './json-parts.ts';
import { MAX_UNPACKED_BYTES } from './file.ts';

const ZSTANDARD = 93;
const MAX_ENTRIES = 2_000_000;

export class Archive {
  readonly #file: string;
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(file: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws ResultsError for a damaged archive, and for one with too large content */
  static async open(file: string): Promise<Archive> {
    const zip = await orDamaged(file, () => openZip(openSync(file, 'r'), { lazyEntries: true, autoClose: false }));
    try {
      const entries = await orDamaged(file, () => listEntries(zip, file));
      return new Archive(file, zip, entries);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** @throws ResultsError while reading */
  async *read(name: string): AsyncGenerator<Uint8Array, void, undefined> {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw damagedFileError(this.#file, `it has no ${name}`);
    const isZstandard = entry.compressionMethod === ZSTANDARD;
    const stream = await orDamaged(this.#file, () =>
      this.#zip.openReadStreamPromise(entry, isZstandard ? { decodeFileData: false } : {}),
    );
    try {
      yield* isZstandard ? unpackZstandard(stream, entry) : (stream as AsyncIterable<Uint8Array>);
    } catch (error) {
      throw damagedArchive(this.#file, error);
    } finally {
      stream.destroy();
    }
  }

  close(): void {
    this.#zip.close();
  }
}

const openZip = promisify<number, object, ZipFile>(fromFd);

async function listEntries(zip: ZipFile, file: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    entries.set(entry.fileName, entry);
    size += entry.uncompressedSize;
    if (size > MAX_UNPACKED_BYTES || entries.size > MAX_ENTRIES)
      throw damagedFileError(file, 'it unpacks to more than 16 GiB');
  }
  return entries;
}

/**
 * Yields the unpacked bytes. The library unpacks one frame at a time, so output is yielded after each piece of input.
 */
async function* unpackZstandard(stream: AsyncIterable<Uint8Array>, entry: Entry): AsyncGenerator<Uint8Array> {
  const unpacked: Uint8Array[] = [];
  let size = 0;
  const decoder = new Decompress((piece) => {
    size += piece.length;
    if (size > entry.uncompressedSize) throw new Error('an entry is larger than the archive says');
    unpacked.push(piece);
  });
  for await (const chunk of stream) {
    decoder.push(chunk);
    yield* unpacked.splice(0);
  }
  decoder.push(new Uint8Array(), true);
  yield* unpacked.splice(0);
  if (size !== entry.uncompressedSize) throw new Error('an entry is shorter than the archive says');
}

async function orDamaged<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw damagedArchive(file, error);
  }
}

function damagedArchive(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof ResultsError) return error;
  return damagedFileError(file, `its zip archive is damaged (${error.message})`);
}
