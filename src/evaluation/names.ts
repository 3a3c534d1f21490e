/**
 * Names and keys derived from a run: workflow ids as paths, names of episodes and forks in the run log, task queues,
 * fairness keys, seeds.
 */

import type { EpisodeKey } from '../benchmarks/index.ts';
import type { TaskQueues } from './workflow-input.ts';
import { isConditionName } from '../conditions/index.ts';
import { digestText } from './transcript.ts';

/** Name of `agentTurn`'s task queue among those of model calls. */
export const AGENT_SERVICE = 'agent-service';

/** Provider name of calls to an environment service, under which they are held. */
export const ENVIRONMENT_SERVICE = 'environment-service';

export function sweepWorkflowId(runId: string): string {
  return runId;
}

export function laneWorkflowId(runId: string, index: number): string {
  return `${runId}/lane-${index}`;
}

export function episodeWorkflowId(runId: string, episode: EpisodeKey): string {
  return workflowIdOfEpisode(runId, episodeName(episode));
}

/** Returns the id of the workflow that judges a run's failed episodes. */
export function errorsWorkflowId(runId: string): string {
  return `${runId}/errors`;
}

/**
 * Returns an episode's name, which is also the stem of its file in the run log: `task-17.trial-0`,
 * `task-17.trial-0.tool-errors`.
 */
export function episodeName({ taskId, trial, condition }: EpisodeKey): string {
  return `task-${taskId}.trial-${trial}${condition === undefined ? '' : `.${condition}`}`;
}

/** Describes an episode: `task 17, trial 0`, `task 17, trial 0, tool-errors`. */
export function describeEpisode({ taskId, trial, condition }: EpisodeKey): string {
  return `task ${taskId}, trial ${trial}${condition === undefined ? '' : `, ${condition}`}`;
}

/** Parses a name from {@link episodeName}; null for any other text. */
export function parseEpisodeName(name: string): EpisodeKey | null {
  const match = /^task-(0|[1-9]\d*)\.trial-(0|[1-9]\d*)(?:\.(.*))?$/.exec(name);
  if (match === null) return null;
  const key = { taskId: Number(match[1]), trial: Number(match[2]) };
  const condition = match[3];
  if (condition === undefined) return key;
  return isConditionName(condition) ? { ...key, condition } : null;
}

/** Returns a fork's name, which is also the stem of its file in the run log: `task-17.trial-0.fork-2`. */
export function forkName(origin: EpisodeKey, fork: string): string {
  return `${episodeName(origin)}.${fork}`;
}

/** Returns the number of a fork: `fork-2` → 2. */
export function forkNumber(fork: string): number {
  return Number(fork.replace('fork-', ''));
}

/** An episode, or a fork of it. */
export interface ForkableName {
  readonly episode: EpisodeKey;
  readonly fork?: string;
}

/** Reads {@link episodeName} and {@link forkName}; null for any other text. */
export function parseForkableName(name: string): ForkableName | null {
  const [, own, fork] = /^(.*?)(?:\.(fork-[1-9]\d*))?$/.exec(name) ?? [];
  const episode = own === undefined ? null : parseEpisodeName(own);
  if (episode === null) return null;
  return fork === undefined ? { episode } : { episode, fork };
}

/** Returns an episode's workflow id by its name (`task-17.trial-0`). */
export function workflowIdOfEpisode(runId: string, name: string): string {
  return `${runId}/${name.replaceAll('.', '/')}`;
}

/** Parts of a workflow id. */
interface ParsedWorkflowId {
  readonly run: string;
  readonly lane?: number;
  readonly task?: number;
  readonly trial?: number;
  /** Condition of the episode. @default `base` */
  readonly condition?: string;
  /** Number of the fork, if the workflow is one. */
  readonly fork?: number;
}

/** Parses a workflow id from the functions above. The id of another program's workflow is returned as a run id. */
export function parseWorkflowId(workflowId: string): ParsedWorkflowId {
  const judged = /^(.+)\/errors$/.exec(workflowId)?.[1];
  if (judged !== undefined) return { run: judged };
  // Run ids have no slash.
  const segments = workflowId.split('/');
  const parts: (readonly [string, string | number])[] = [];
  for (let at = segments.length - 1; at > 0; at--) {
    const [, name, number] = /^(lane|task|trial|fork)-(\d+)$/.exec(segments[at] ?? '') ?? [];
    const condition = segments[at - 1]?.startsWith('trial-') === true ? segments[at] : undefined;
    if (name !== undefined) parts.unshift([name, Number(number)]);
    else if (condition !== undefined && isConditionName(condition)) parts.unshift(['condition', condition]);
    else return { run: segments.slice(0, at + 1).join('/'), ...Object.fromEntries(parts) };
  }
  return { run: segments[0] ?? '', ...Object.fromEntries(parts) };
}

/** Parts of the names of a run's task queues, beside the user's name. */
interface QueueOwner {
  /** Digest of the file with the run's agent. Only workers that have the file poll its queues. */
  readonly agentDigest?: string | undefined;
  /** See {@link TaskQueues.endpoints}. */
  readonly endpoints?: Readonly<Record<string, string>> | undefined;
}

/** Number of digits of an agent's digest in a queue's name. */
const DIGEST_CHARS = 12;

/**
 * Returns the names of a run's task queues. Model calls have a queue for each provider and endpoint, so that a
 * provider's limits hold over all workers, and a call reaches only workers that send it to the run's address.
 * @param base the user's name for the queue, such as `tauflow`
 */
export function taskQueues(base: string, { agentDigest, endpoints = {} }: QueueOwner = {}): TaskQueues {
  const main = agentDigest === undefined ? base : `${base}-agent-${agentDigest.slice(0, DIGEST_CHARS)}`;
  return { main, llm: `${main}-llm`, ...(Object.keys(endpoints).length === 0 ? {} : { endpoints }) };
}

/**
 * Returns the queue of a provider's model calls. Without an endpoint, it is the queue that all workers with the
 * provider poll.
 */
export function llmQueue({ llm, endpoints = {} }: TaskQueues, provider: string): string {
  const label = endpointLabel({ endpoints }, provider);
  return `${llm}-${provider}${label === null ? '' : `-${label}`}`;
}

/** Returns the endpoint of a provider's calls; null: any. */
export function endpointLabel({ endpoints = {} }: Pick<TaskQueues, 'endpoints'>, provider: string): string | null {
  return (Object.hasOwn(endpoints, provider) ? endpoints[provider] : undefined) ?? null;
}

/** Labels of the endpoints that a process calls, by provider. */
export type ServedEndpoints = Readonly<Record<string, readonly string[]>>;

/** Lists the queues: one for calls to any endpoint, and one for each of a provider's endpoints. */
export function providerQueues(queues: TaskQueues, provider: string, served: ServedEndpoints): TaskQueues[] {
  const labels = new Set(Object.hasOwn(served, provider) ? served[provider] : []);
  const { main, llm } = queues;
  return [{ main, llm }, ...[...labels].map((label) => ({ main, llm, endpoints: { [provider]: label } }))];
}

/**
 * Parses a name from {@link taskQueues} into the user's name for the queue and the first digits of the agent's digest.
 */
export function parseMainQueue(main: string): { readonly base: string; readonly agent: string | null } {
  const [, base, agent] = /^(.+)-agent-([0-9a-f]{12})$/.exec(main) ?? [];
  return base === undefined || agent === undefined ? { base: main, agent: null } : { base, agent };
}

/** Returns the command that starts a worker for the runs of a task queue. */
export function startWorkerCommand(mainQueue: string): string {
  const { base, agent } = parseMainQueue(mainQueue);
  const queue = base === 'tauflow' ? '' : ` --task-queue ${base}`;
  return `npx tauflow worker${queue}${agent === null ? '' : ' --agent-strategy FILE'}`;
}

/** Longest fairness key that the server accepts, in bytes. Run ids are ASCII, so characters are bytes. */
const MOST_BYTES = 64;

/**
 * Returns the key of Temporal's fairness: sweeps that share a queue of model calls take turns, whatever the size of
 * their windows.
 * @returns the run's id; for a long one its beginning and a digest of the whole
 */
export function fairnessKey(runId: string): string {
  if (runId.length <= MOST_BYTES) return runId;
  const digest = digestText(runId);
  return `${runId.slice(0, MOST_BYTES - digest.length - 1)}~${digest}`;
}

/**
 * Returns the seed of one episode, which depends only on its place in the sweep: FNV-1a over (seed, task, trial), 31
 * bits, never 0, because some providers read 0 as "none".
 */
export function episodeSeed(seed: number, episode: EpisodeKey, repeat = 0): number {
  let hash = 0x811c9dc5;
  const name = `${seed}/${episode.taskId}/${episode.trial}${repeat === 0 ? '' : `/repeat-${repeat}`}`;
  for (const char of name) {
    hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  }
  // FNV's low bits are its best, so the high bits are folded into them before the sign bit is removed.
  return (hash ^ (hash >>> 15)) & 0x7fffffff || 1;
}

/**
 * Returns the URL of a workflow's page in Temporal UI.
 * @param uiUrl without a slash at its end
 */
export function workflowUrl(uiUrl: string, namespace: string, workflowId: string, runId?: string): string {
  const run = runId === undefined ? '' : `/${runId}/history`;
  return `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}${run}`;
}

/** Formats a task: `3`, or `3 (cancel)` if it has a name. */
export function formatTask({
  taskId,
  taskName,
}: {
  readonly taskId: number;
  readonly taskName?: string | undefined;
}): string {
  return taskName === undefined ? String(taskId) : `${taskId} (${taskName})`;
}
