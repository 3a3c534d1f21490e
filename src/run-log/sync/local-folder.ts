/** A log folder as a side of a sync: its files, snapshots of their content, and guarded writes. */

import { createHash } from 'node:crypto';
import { open, readFile, readdir, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { UsageError, systemErrorCode, instead } from '../../errors/index.ts';
import { PART_BYTES, makeFolders, writeFileAtomically, type StoredObject } from '../../io/index.ts';
import { LogFiles, ResultsError, ResultsProblem, describeSystemError } from '../index.ts';
import { isOfRuns, isSynced } from './plan.ts';

export interface LocalFile {
  readonly size: number;
  /** Version of the file's content; a later content has another one. */
  readonly version: string;
  /**
   * Content of `run.json` before the run's other files were listed; null for other files. A run that ends during the
   * sync would otherwise look complete without its last records.
   */
  readonly content: Buffer | null;
}

/** Content of a file at one moment, even if the file is replaced or grows while it is read. */
interface Snapshot {
  readonly size: number;
  /**
   * ETag that S3 gives to an upload with parts of {@link PART_BYTES}; S3 gives another one if the content is encrypted
   * by the user's own keys.
   */
  readonly etag: string;
  readonly sha256: string;
  pieces(): AsyncIterable<Uint8Array>;
}

/** Error of a target's file that has changed since it was listed. */
export class ChangedError extends UsageError {
  override readonly name = 'ChangedError';
}

/**
 * Yields the content of an object, checked against its stored digest.
 * @param damaged message if the content differs from its digest
 * @throws ChangedError at the end, before the written file is put in place
 */
export async function* verifyPieces(
  { pieces, sha256 }: Pick<StoredObject, 'pieces' | 'sha256'>,
  damaged: string,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of pieces) {
    hash.update(piece);
    yield piece;
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new ChangedError(damaged);
}

export class LocalFolder {
  readonly #folder: string;
  readonly #files: LogFiles;

  constructor(folder: string) {
    this.#folder = folder;
    this.#files = new LogFiles(folder);
  }

  /**
   * Lists the files that a sync copies, by paths with slashes; none if there is no such folder. Links are not followed.
   * @throws ResultsError (`unreadable`)
   */
  async list(runIds: readonly string[] | null): Promise<Map<string, LocalFile>> {
    const found = new Map<string, LocalFile>();
    await this.#reading(() => this.#listBelow('', runIds, found));
    return found;
  }

  async #listBelow(below: string, runIds: readonly string[] | null, found: Map<string, LocalFile>): Promise<void> {
    const isRun = below !== '' && !below.slice(0, -1).includes('/');
    const content = isRun ? await readFile(this.#toPath(`${below}run.json`)).catch(absent) : null;
    const entries = await readdir(this.#toPath(below), { withFileTypes: true }).catch(absent);
    for (const entry of entries ?? []) {
      const file = below + entry.name;
      if (entry.isDirectory()) {
        const isWanted = isSynced(`${file}/`) && isOfRuns(`${file}/`, below === '' ? runIds : null);
        if (isWanted) await this.#listBelow(`${file}/`, runIds, found);
      } else if (entry.isFile() && isSynced(file) && (below !== '' || isOfRuns(file, runIds))) {
        const isMarker = isRun && entry.name === 'run.json';
        if (isMarker && content === null) continue;
        const version = await this.#readVersion(file);
        if (version === null) continue;
        const size = isMarker && content !== null ? content.length : version.size;
        found.set(file, { size, version: version.text, content: isMarker ? content : null });
      }
    }
  }

  /**
   * Reads one content of a file, whose handle stays open meanwhile. @throws ChangedError for a file that no longer
   * exists
   */
  async withSnapshot<T>(file: string, listed: LocalFile, use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    if (listed.content !== null) {
      const { content } = listed;
      return use(await takeSnapshot(content.length, () => yieldOnce(content)));
    }
    return this.#reading(async () => {
      const handle = await open(this.#toPath(file), 'r').catch(absent);
      if (handle === null) throw new ChangedError(`${file} has been removed since it was listed`);
      try {
        const { size } = await handle.stat();
        return await use(await takeSnapshot(size, () => readPieces(handle, size, file)));
      } finally {
        await handle.close();
      }
    });
  }

  /**
   * Replaces the file as a whole, unless it has changed since it was listed.
   * @param listed null: the file did not exist
   * @throws ChangedError
   */
  async write(file: string, pieces: AsyncIterable<Uint8Array>, listed: LocalFile | null): Promise<void> {
    const check = async (): Promise<void> => {
      if (((await this.#readVersion(file))?.text ?? null) === (listed?.version ?? null)) return;
      throw new ChangedError(`${file} has changed in the folder since it was listed, and is not overwritten`);
    };
    await this.#files.writing(async () => {
      await makeFolders(path.dirname(this.#toPath(file)));
      await writeFileAtomically(this.#toPath(file), thenCheck(pieces, check));
    });
  }

  #toPath(file: string): string {
    return path.join(this.#folder, ...file.split('/'));
  }

  async #readVersion(file: string): Promise<{ size: number; text: string } | null> {
    const stats = await stat(this.#toPath(file)).catch(absent);
    return stats === null ? null : { size: stats.size, text: `${stats.ino}.${stats.size}.${stats.mtimeMs}` };
  }

  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (systemErrorCode(error) === null || error instanceof UsageError) throw error;
      const message = `the log folder ${this.#folder} cannot be read: ${describeSystemError(error)}.`;
      throw new ResultsError(ResultsProblem.Unreadable, message, { cause: error });
    }
  }
}

/** Yields the content, and checks once more at its end, before the file is renamed to its final name. */
async function* thenCheck(pieces: AsyncIterable<Uint8Array>, check: () => Promise<void>): AsyncGenerator<Uint8Array> {
  yield* pieces;
  await check();
}

async function takeSnapshot(size: number, pieces: () => AsyncIterable<Uint8Array>): Promise<Snapshot> {
  const sha256 = createHash('sha256');
  const parts: Buffer[] = [];
  let part = createHash('md5');
  let bytes = 0;
  for await (const piece of pieces()) {
    sha256.update(piece);
    for (let rest = piece; rest.length > 0;) {
      if (bytes === PART_BYTES) {
        parts.push(part.digest());
        part = createHash('md5');
        bytes = 0;
      }
      const taken = rest.subarray(0, PART_BYTES - bytes);
      part.update(taken);
      bytes += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  parts.push(part.digest());
  const whole = parts.length === 1 ? parts[0] : createHash('md5').update(Buffer.concat(parts)).digest();
  const suffix = parts.length === 1 ? '' : `-${parts.length}`;
  return { size, etag: `${whole?.toString('hex') ?? ''}${suffix}`, sha256: sha256.digest('hex'), pieces };
}

const READ_BYTES = 1024 * 1024;

/** Yields the first `size` bytes, because lines may be appended meanwhile. */
async function* readPieces(handle: FileHandle, size: number, file: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const buffer = Buffer.allocUnsafe(Math.min(READ_BYTES, size - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) throw new ChangedError(`${file} has become shorter while it was read`);
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- read in the same way as files are
async function* yieldOnce(piece: Uint8Array): AsyncGenerator<Uint8Array> {
  yield piece;
}

const absent = instead(null, 'ENOENT', 'ENOTDIR');
