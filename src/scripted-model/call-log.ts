/** A file with one line a completion (also where its client has gone), so that calls can be counted across restarts. */

import { closeSync, openSync, writeSync } from 'node:fs';

export interface LoggedCall {
  /** Of the request's body: equal requests have equal digests. */
  readonly digest: string;
  readonly role: string;
  readonly episode: string | null;
  readonly model: string;
  /** Times of the request and of its reply, in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly completedAt: number;
}

export interface CallLog {
  append(call: LoggedCall): void;
  close(): void;
}

/**
 * Opens the file for appending. A line is handed to the system in one piece before {@link CallLog.append} returns, so
 * it survives the death of the process.
 * @throws Error naming the file when it cannot be written
 */
export function openCallLog(file: string): CallLog {
  const fd = open(file);
  return {
    append: (call) => {
      writeSync(fd, `${JSON.stringify(call)}\n`);
    },
    close: () => {
      closeSync(fd);
    },
  };
}

function open(file: string): number {
  try {
    return openSync(file, 'a');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `the scripted model's log ${file} cannot be written (${reason}); name a file in a folder that exists.`,
    );
  }
}
