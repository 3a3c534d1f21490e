/**
 * Sweeps and episodes in the server's visibility store, which needs no worker and has the runs of all users of the
 * server.
 *
 * The server refuses a workflow with an unknown search attribute, so they are registered on each connection (13 ms). If
 * only administrators may register them (Temporal Cloud, for example), that is reported, and workflows start without
 * search attributes.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Client, WorkflowNotFoundError, type Connection, type WorkflowExecutionInfo } from '@temporalio/client';
import type { Payload, PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import {
  TauCostUsd,
  TauEnv,
  TauModel,
  TauOutcome,
  TauReward,
  TauStrategy,
  searchAttributeKeys,
} from '../../../workflows/client.ts';
import { ServerError, grpc, grpcStatus, onStatus } from '../errors.ts';
import { readKeyId } from '../codec/index.ts';
import { firstLine, onError } from '../../errors/index.ts';

/** A run on the server, by the newest sweep of its id. Values that the sweep did not set are null. */
export interface SeenSweep {
  readonly runId: string;
  /** Status in lower case: `running`, `completed`, `failed`, `cancelled`, `terminated`, `timed_out`. */
  readonly status: string;
  /** Start of the sweep, ISO 8601, UTC; for a resumed run, the time of resuming. */
  readonly startedAt: string;
  readonly env: string | null;
  readonly strategy: string | null;
  readonly model: string | null;
  /** Average reward, in [0, 1]. Like the costs, it is known once the sweep has ended. */
  readonly averageReward: number | null;
  readonly costUsd: number | null;
  /** Schedule that started the run; null: none. */
  readonly schedule: string | null;
}

export interface SweepFilter {
  readonly strategy?: string | undefined;
  readonly model?: string | undefined;
}

/** Most sweeps to list, so that a server with years of history answers in seconds. */
const MOST_SEEN = 5_000;

/** Lists sweeps: running ones first, then the last ended ones. Lanes are left out, because they are parts of sweeps. */
export async function* listSweeps(
  client: Client,
  filter: SweepFilter = {},
): AsyncGenerator<SeenSweep, void, undefined> {
  const known = new Set<string>();
  let seen = 0;
  for await (const info of listingClient(client).workflow.list({ query: sweepQuery(filter) })) {
    if (++seen > MOST_SEEN) return;
    const { workflowId, status } = info;
    // A lane's id is a path. Of sweeps with one id, the newest comes first; its earlier parts have continued as new.
    if (workflowId.includes('/') || status.name === 'CONTINUED_AS_NEW' || known.has(workflowId)) continue;
    known.add(workflowId);
    yield toSeenSweep(info);
  }
}

/** @returns null if the server does not know the run */
export async function seeSweep(client: Client, runId: string): Promise<SeenSweep | null> {
  const info = await client.workflow
    .getHandle(runId)
    .describe()
    .catch(onError(() => null, WorkflowNotFoundError));
  return info?.type === 'sweep' ? toSeenSweep(info) : null;
}

function sweepQuery({ strategy, model }: SweepFilter): string {
  const terms = [`WorkflowType = 'sweep'`];
  if (strategy !== undefined) terms.push(`${TauStrategy.name} = ${quoteForQuery(strategy)}`);
  if (model !== undefined) terms.push(`${TauModel.name} = ${quoteForQuery(model)}`);
  return terms.join(' AND ');
}

/** Returns a schedule's workflow id, to which the server appends the scheduled time. */
export function scheduleWorkflowId(name: string): string {
  return `scheduled-run/${name}`;
}

/** Returns the schedule that started a `scheduled-run` workflow; null for any other workflow's id. */
function parseScheduleWorkflowId(workflowId: string): string | null {
  return /^scheduled-run\/(.+)-\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.exec(workflowId)?.[1] ?? null;
}

function toSeenSweep(info: Omit<WorkflowExecutionInfo, 'raw'>): SeenSweep {
  const { typedSearchAttributes: attributes, parentExecution: parent } = info;
  return {
    runId: info.workflowId,
    status: info.status.name.toLowerCase(),
    startedAt: info.startTime.toISOString(),
    env: attributes.get(TauEnv) ?? null,
    strategy: attributes.get(TauStrategy) ?? null,
    model: attributes.get(TauModel) ?? null,
    averageReward: attributes.get(TauReward) ?? null,
    costUsd: attributes.get(TauCostUsd) ?? null,
    schedule: parseScheduleWorkflowId(parent?.workflowId ?? ''),
  };
}

/**
 * Numbers of workflow executions of a run's episodes by status, in lower case. A rerun is another execution; forks are
 * left out.
 */
export type ExecutionCounts = Readonly<Record<string, number>>;

/** @returns null if the server does not know the search attributes */
export async function countExecutions(client: Client, runId: string): Promise<ExecutionCounts | null> {
  return unlessUnindexed(async () => {
    const { groups } = await client.workflow.count(`${formatEpisodesQuery(runId)} GROUP BY ExecutionStatus`);
    return Object.fromEntries(groups.map(({ count, groupValues }) => [statusName(groupValues[0]?.[0]), count]));
  });
}

/** @returns the number of a run's open episodes; null if the server does not know the search attributes */
export async function openEpisodes(client: Client, runId: string): Promise<number | null> {
  return unlessUnindexed(async () => (await client.workflow.count(open(runId))).count);
}

/** An episode of a run, by its newest execution. */
export interface SeenEpisode {
  /** Name of the episode: `task-17.trial-0`. */
  readonly name: string;
  readonly status: string;
  /** Outcome of the episode; null while it is open. */
  readonly outcome: string | null;
  readonly reward: number | null;
  readonly costUsd: number | null;
}

/** @returns null if the server does not know the search attributes */
export async function listEpisodes(
  client: Client,
  runId: string,
  { openOnly = false }: { readonly openOnly?: boolean } = {},
): Promise<readonly SeenEpisode[] | null> {
  return unlessUnindexed(async () => {
    const query = openOnly ? open(runId) : formatEpisodesQuery(runId);
    const newest = new Map<string, WorkflowExecutionInfo>();
    for await (const info of listingClient(client).workflow.list({ query, pageSize: 1_000 })) {
      const before = newest.get(info.workflowId);
      if (before === undefined || before.startTime < info.startTime) newest.set(info.workflowId, info);
    }
    return [...newest.values()].map(({ workflowId, status, typedSearchAttributes: attributes }) => ({
      name: workflowId.slice(runId.length + 1).replaceAll('/', '.'),
      status: status.name.toLowerCase(),
      outcome: attributes.get(TauOutcome) ?? null,
      reward: attributes.get(TauReward) ?? null,
      costUsd: attributes.get(TauCostUsd) ?? null,
    }));
  });
}

function formatEpisodesQuery(runId: string): string {
  return `TauSweep = ${quoteForQuery(runId)} AND WorkflowType = 'episode' AND TauOrigin IS NULL`;
}

function open(runId: string): string {
  return `${formatEpisodesQuery(runId)} AND ExecutionStatus = 'Running'`;
}

function unlessUnindexed<T>(ask: () => Promise<T>): Promise<T | null> {
  return ask().catch(onStatus(grpc.INVALID_ARGUMENT, null));
}

/** Converts a status: `TimedOut` → `timed_out`. */
function statusName(value: unknown): string {
  return String(value)
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

function quoteForQuery(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export function listingClient({ connection, options }: Client): Client {
  const { namespace, identity, loadedDataConverter } = options;
  const codec = new BlankingCodec(loadedDataConverter.payloadCodecs);
  return new Client({ connection, namespace, identity, dataConverter: { payloadCodecs: [codec] } });
}

/** The payload that the SDK reads as undefined. */
const NOTHING: Payload = { metadata: { encoding: Buffer.from('binary/null') } };

class BlankingCodec implements PayloadCodec {
  readonly #codecs: readonly PayloadCodec[];

  constructor(codecs: readonly PayloadCodec[]) {
    this.#codecs = codecs;
  }

  encode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.resolve(payloads);
  }

  async decode(payloads: Payload[]): Promise<Payload[]> {
    return await Promise.all(payloads.map((payload) => this.#read(payload)));
  }

  async #read(payload: Payload): Promise<Payload> {
    try {
      let read: Payload | undefined = payload;
      for (const codec of this.#codecs) [read] = await codec.decode(read === undefined ? [] : [read]);
      return read === undefined || readKeyId(read) !== null ? NOTHING : read;
    } catch (error) {
      if (error instanceof ServerError && error.kind === 'encryption-key') return NOTHING;
      throw error;
    }
  }
}

/**
 * - `ready`: the server knows all attributes; `added` were added now.
 * - `unavailable`: `missing` attributes are unknown and cannot be added (or have another type); `reason` is one
 *   sentence for the user.
 */
type SearchAttributeReport =
  | { readonly kind: 'ready'; readonly added: readonly string[] }
  | { readonly kind: 'unavailable'; readonly missing: readonly string[]; readonly reason: string };

/** Longest time until a registration is visible in the whole server, in ms; its caches are refreshed by then. */
const READY_TIMEOUT_MS = 30_000;

const { IndexedValueType } = proto.temporal.api.enums.v1;

type IndexedType = proto.temporal.api.enums.v1.IndexedValueType;

type SearchAttributeKeys = readonly (typeof searchAttributeKeys)[number][];

/** Registers missing search attributes and waits until they can be used. Does not throw for missing permission. */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
  keys: SearchAttributeKeys = searchAttributeKeys,
): Promise<SearchAttributeReport> {
  const wanted = new Map(keys.map(({ name, type }) => [name, IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]]));
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
    await waitUntilUsable(connection, namespace, keys);
    return { kind: 'ready', added: added.map(([name]) => name) };
  } catch (error) {
    if (grpcStatus(error) === null) throw error;
    const known = await listAttributes(connection, namespace).catch(() => new Map<string, number>());
    const missing = [...wanted].flatMap(([name, type]) => (known.get(name) === type ? [] : [name]));
    const cause = firstLine(error);
    // The server's message if others have taken the slots; nobody can add any then.
    const advice = cause.includes('cannot have more than')
      ? 'give Tauflow a namespace of its own (TEMPORAL_NAMESPACE), or find runs by their ids alone'
      : `ask whoever runs the server to add ${missing.join(', ')}`;
    return {
      kind: 'unavailable',
      missing,
      reason: `search attributes cannot be registered in namespace ${namespace} (${cause}); ${advice}`,
    };
  }
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
  const adding = connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  // Another command may have added it after the check.
  await adding.catch(onStatus(grpc.ALREADY_EXISTS, undefined));
}

/** Waits until the server's frontend knows all the attributes, because it refuses queries that name unknown ones. */
async function waitUntilUsable(connection: Connection, namespace: string, keys: SearchAttributeKeys): Promise<void> {
  const query = keys.map(({ name }) => `${name} IS NULL`).join(' AND ');
  const deadline = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return;
    } catch (error) {
      if (grpcStatus(error) !== grpc.INVALID_ARGUMENT || performance.now() >= deadline) throw error;
    }
    await delay(20);
  }
}
