/** A small file system (tmpfs) for everything that a tool writes, which another program can fill. */

import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd } from '../processes.ts';

const SIZE_MB = 256;
const CHUNKS = [2 ** 20, 4096].map((size) => Buffer.alloc(size));
/** Pause after which what was freed meanwhile is filled too. */
const REFILL_MS = 20;

export interface Disk {
  readonly folder: string;
  /** Keeps it full. @returns resolves when there is space again */
  fill(ms: number): Promise<void>;
  remove(): Promise<void>;
}

/** @throws Error where a file system cannot be mounted, which root may on Linux */
export async function mountDisk(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'tauflow-crashes-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    await rm(folder, { recursive: true });
    throw new Error('no file system can be mounted for the full disk; run the benchmark as root on Linux', {
      cause: error,
    });
  }
  const remove = onEnd(async () => {
    // Lazy: a process that was killed a moment ago may still be in it.
    execFileSync('umount', ['-l', folder]);
    await rm(folder, { recursive: true });
  });
  return {
    folder,
    remove,
    async fill(ms) {
      const ballast = join(folder, 'another-program.log');
      const fd = openSync(ballast, 'a');
      const until = Date.now() + ms;
      for (; Date.now() < until; await delay(REFILL_MS)) for (const chunk of CHUNKS) writeUntilFull(fd, chunk);
      closeSync(fd);
      rmSync(ballast);
    },
  };
}

function writeUntilFull(fd: number, chunk: Buffer): void {
  try {
    while (writeSync(fd, chunk) === chunk.length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
