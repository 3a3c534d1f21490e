/**
 * Replaces files atomically: a reader sees the old content or the new content, never a part of it, even if the writer
 * is killed or the disk fills up. All bytes are written, or the write fails and the old file stays.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { systemErrorCode, instead } from '../errors/index.ts';

interface AtomicWriteOptions {
  /** Permissions of the file, before the process's mask. @default 0o666 */
  readonly mode?: number;
  /** Existing folder on the same file system, for the unfinished file. @default the file's own folder */
  readonly scratchFolder?: string;
  /** True to return only when the disk has the content and the name. @default true */
  readonly sync?: boolean;
  /** True to fail with `EEXIST` instead of replacing a file. Of several writers, only one succeeds. @default false */
  readonly isNew?: boolean;
}

/** Number of characters per write. */
const PIECE_CHARS = 256 * 1024;

/**
 * @param content the text, or pieces of text or bytes if the whole should not be in memory
 * @returns the number of bytes written
 * @throws the operating system's error, `ENOSPC` if the disk is full; the file is then unchanged
 */
export async function writeFileAtomically(
  file: string,
  content: string | AsyncIterable<string | Uint8Array>,
  { mode = 0o666, scratchFolder = dirname(file), sync = true, isNew = false }: AtomicWriteOptions = {},
): Promise<number> {
  const scratch = join(scratchFolder, scratchName(basename(file)));
  const handle = await open(scratch, 'wx', mode);
  let bytes: number;
  try {
    try {
      bytes = await writeAll(handle, content);
      if (sync) await handle.sync();
      await checkSize(handle, bytes);
    } finally {
      // A network file system may report a full disk only here.
      await handle.close();
    }
    if (isNew) await nameNew(scratch, file);
    else await rename(scratch, file);
  } catch (error) {
    // `removeStaleScratch` removes a file that stays; the write's own error is the one to report.
    await rm(scratch, { force: true }).catch(() => undefined);
    throw error;
  }
  if (sync) await syncFolder(dirname(file));
  return bytes;
}

/** Error codes of file systems without hard links. */
const CANNOT_LINK: readonly (string | null)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Gives a finished file its name, unless the name is taken. */
async function nameNew(scratch: string, file: string): Promise<void> {
  try {
    await link(scratch, file);
  } catch (error) {
    if (!CANNOT_LINK.includes(systemErrorCode(error))) throw error;
    // An empty file takes the name first. A reader may see it for a moment.
    await (await open(file, 'wx')).close();
    await rename(scratch, file);
    return;
  }
  await rm(scratch, { force: true });
}

async function writeAll(handle: FileHandle, content: string | AsyncIterable<string | Uint8Array>): Promise<number> {
  let bytes = 0;
  let waiting = '';
  const write = async (piece: Uint8Array): Promise<void> => {
    // Unlike `write`, `writeFile` continues until everything is written. A full disk may take only a part at first.
    await handle.writeFile(piece);
    bytes += piece.length;
  };
  const flush = async (): Promise<void> => {
    const piece = Buffer.from(waiting, 'utf8');
    waiting = '';
    await write(piece);
  };
  if (typeof content === 'string') {
    waiting = content;
  } else {
    for await (const piece of content) {
      if (typeof piece === 'string') waiting += piece;
      if (typeof piece !== 'string' || waiting.length >= PIECE_CHARS) await flush();
      if (typeof piece !== 'string') await write(piece);
    }
  }
  await flush();
  return bytes;
}

async function checkSize(handle: FileHandle, bytes: number): Promise<void> {
  const { size } = await handle.stat();
  if (size === bytes) return;
  throw Object.assign(new Error(`${String(size)} of ${String(bytes)} bytes were written`), { code: 'EIO' });
}

/** Error codes of file systems that cannot sync a folder, and of Windows, which cannot open one. */
const CANNOT_SYNC: readonly (string | null)[] = ['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR', 'EACCES'];

/** Syncs the folder, so that the new name survives a power cut. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!CANNOT_SYNC.includes(systemErrorCode(error))) throw error;
  }
}

/**
 * Identifies this process among all processes that may write to the same folder: the space of its process id, the id,
 * and a random token.
 */
const PLACE = createHash('sha256').update(processIdSpace()).digest('hex').slice(0, 8);
const TOKEN = randomBytes(4).toString('hex');
let written = 0;

/** Returns the name of the space in which a process id is unique: one boot of one machine, or one container on it. */
function processIdSpace(): string {
  const read = (look: () => string): string => {
    try {
      return look();
    } catch {
      // Without Linux's files, the host's name has to suffice.
      return '';
    }
  };
  const boot = read(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  return [hostname(), boot, read(() => readlinkSync('/proc/self/ns/pid'))].join('\n');
}

/** Matches the name of an unfinished file: `.run.json.1a2b3c4d-4711-5e6f7a8b-1.tmp`. */
const SCRATCH = /^\..+\.([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-\d+\.tmp$/;

function scratchName(name: string): string {
  written += 1;
  return `.${name.slice(0, 60)}.${PLACE}-${String(process.pid)}-${TOKEN}-${String(written)}.tmp`;
}

/** @returns true for the name of an unfinished file, which may be left from a killed writer */
export function isScratchName(name: string): boolean {
  return SCRATCH.test(name);
}

/** Age in ms at which an unfinished file is removed if its writer is on another machine; a write lasts seconds. */
const STALE_MS = 60 * 60 * 1_000;

/** Removes unfinished files of killed writers from a folder; files that are being written stay. */
export async function removeStaleScratch(folder: string): Promise<void> {
  const names = await readdir(folder).catch(instead([], 'ENOENT'));
  for (const name of names.filter(isScratchName)) {
    const file = join(folder, name);
    if (await isStale(file, name)) await rm(file, { force: true });
  }
}

async function isStale(file: string, name: string): Promise<boolean> {
  const [, place, pid, token] = SCRATCH.exec(name) ?? [];
  if (place === PLACE) {
    // An earlier process may have had this process's id.
    const isDead = Number(pid) === process.pid ? token !== TOKEN : !isAlive(Number(pid));
    if (isDead) return true;
  }
  // It may have been renamed or removed meanwhile.
  const found = await stat(file).catch(instead(null, 'ENOENT'));
  return found !== null && Date.now() - found.mtimeMs > STALE_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) !== 'ESRCH';
  }
}
