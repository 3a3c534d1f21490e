/** Checks continuously that the same server stays at an address. */

import { setTimeout as delay } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import type { Connection } from '@temporalio/client';
import { ServerError } from '../errors.ts';

type Server = Pick<Connection, 'withDeadline' | 'workflowService'>;

/** Interval of checks in ms, shorter than another server needs to take a dead server's port. */
const lookMs = 1_000;
const answerMs = 3_000;
/** Interval of checks for work that waits for the server, in ms. */
const confirmMs = 100;

export interface IdentityWatch {
  /** Rejects with a ServerError when another server answers at the address. Never resolves. */
  readonly lost: Promise<never>;
  /**
   * Resolves at once while the server is known to be the same, otherwise after a check has confirmed it.
   * @throws ApplicationFailure, retryable, for another server, whose own workers take the work
   */
  confirm(): Promise<void>;
  stop(): void;
}

/** Watches the server by the id of its namespace. The id is created with the database and never changes. */
export async function watchIdentity(server: Server, address: string, namespace: string): Promise<IdentityWatch> {
  const own = await namespaceId(server, namespace);
  const stop = new AbortController();
  let state: 'same' | 'away' | 'other' = 'same';
  let reject: (error: ServerError) => void = () => undefined;
  const lost = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  // A waiting caller sees the rejection; without one it must not count as unhandled.
  lost.catch(() => undefined);

  const look = async (): Promise<void> => {
    const found = await namespaceId(server, namespace).catch(() => null);
    state = found === null ? 'away' : found === own ? 'same' : 'other';
    if (state === 'other') {
      stop.abort();
      reject(new ServerError('unreachable', otherServer(address)));
    }
  };
  void (async () => {
    while (!stop.signal.aborted) {
      await delay(lookMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (!stop.signal.aborted) await look();
    }
  })();

  return {
    lost,
    async confirm() {
      while (state === 'away' && !stop.signal.aborted) await delay(confirmMs);
      if (state === 'other') throw ApplicationFailure.retryable(otherServer(address), 'OtherServer');
    },
    stop: () => stop.abort(),
  };
}

async function namespaceId(server: Server, namespace: string): Promise<string> {
  const { namespaceInfo } = await server.withDeadline(Date.now() + answerMs, () =>
    server.workflowService.describeNamespace({ namespace }),
  );
  return namespaceInfo?.id ?? '';
}

function otherServer(address: string): string {
  return `the Temporal server of this folder has ended, and that of another folder has its address ${address} now`;
}
