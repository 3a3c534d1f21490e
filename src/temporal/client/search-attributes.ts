/**
 * Makes a server know the search attributes that sweeps and episodes carry; a workflow with an unknown one is refused.
 *
 * On a dev server and on one's own this takes 13 ms and may be done on each connect. Temporal Cloud, and servers where
 * one may only run workflows, keep it to their administrators: then it is reported, and workflows go without.
 */

import { setTimeout as delay } from 'node:timers/promises';

import type { Connection } from '@temporalio/client';
import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes.js';

import { searchAttributeKeys } from '../../../workflows/client.ts';
import { firstLine } from '../../errors/index.ts';
import { grpc, grpcStatus } from '../codec/index.ts';

/**
 * - `ready`: all are known; `added` are those that were not before.
 * - `unavailable`: `missing` are not known and cannot be added (or are known with another type); `reason` is one
 *   sentence for a person.
 */
export type SearchAttributeReport =
  | { readonly kind: 'ready'; readonly added: readonly string[] }
  | { readonly kind: 'unavailable'; readonly missing: readonly string[]; readonly reason: string };

/** How long a registration may take to be seen everywhere in the server, in ms: its caches are read again by then. */
const readyTimeoutMs = 30_000;

/** A type as the server's API numbers it. */
type IndexedType = NonNullable<ReturnType<typeof encodeSearchAttributeIndexedValueType>>;

/** Registers what is missing and waits until queries and workflows may use it. Never throws for want of permission. */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<SearchAttributeReport> {
  const wanted = wantedTypes();
  try {
    const known = await listAttributes(connection, namespace);
    const conflicting = [...wanted].flatMap(([name, type]) =>
      known.has(name) && known.get(name) !== type ? [name] : [],
    );
    if (conflicting.length > 0) {
      const reason = `namespace ${namespace} has search attributes of these names with other types: ${conflicting.join(', ')}`;
      return { kind: 'unavailable', missing: conflicting, reason };
    }
    const added = [...wanted].filter(([name]) => !known.has(name));
    if (added.length > 0) await addAttributes(connection, namespace, Object.fromEntries(added));
    await waitUntilUsable(connection, namespace);
    return { kind: 'ready', added: added.map(([name]) => name) };
  } catch (error) {
    if (grpcStatus(error) === null) throw error;
    const known = await listAttributes(connection, namespace).catch(() => new Map<string, number>());
    const missing = [...wanted].flatMap(([name, type]) => (known.get(name) === type ? [] : [name]));
    return {
      kind: 'unavailable',
      missing,
      reason: `search attributes cannot be registered in namespace ${namespace} (${firstLine(error)}); ask whoever runs the server to add ${missing.join(', ')}`,
    };
  }
}

function wantedTypes(): ReadonlyMap<string, IndexedType> {
  return new Map(
    searchAttributeKeys.flatMap(({ name, type }) => {
      const indexed = encodeSearchAttributeIndexedValueType(type);
      return indexed === undefined ? [] : [[name, indexed] as const];
    }),
  );
}

async function listAttributes(connection: Connection, namespace: string): Promise<ReadonlyMap<string, number>> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return new Map(Object.entries(customAttributes ?? {}));
}

async function addAttributes(
  connection: Connection,
  namespace: string,
  searchAttributes: Record<string, IndexedType>,
): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    // Another command did so between our look and our addition.
    if (grpcStatus(error) !== grpc.ALREADY_EXISTS) throw error;
  }
}

/** A query that names them all is refused until the server's frontend knows them. */
async function waitUntilUsable(connection: Connection, namespace: string): Promise<void> {
  const query = searchAttributeKeys.map(({ name }) => `${name} IS NULL`).join(' AND ');
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      if (grpcStatus(error) !== grpc.INVALID_ARGUMENT || Date.now() >= deadline) throw error;
    }
    await delay(20);
  }
}
