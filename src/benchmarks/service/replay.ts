/** Repeats sequences of calls, and recorded episodes, with an environment service. */

import { randomUUID } from 'node:crypto';
import { findUnmet } from '../grade.ts';
import { PackError, type Pack, type PackEnvironment } from '../packs/types.ts';
import { dumpJson, parseObject } from '../python/index.ts';
import {
  isGradedEnding,
  type Mismatch,
  type RecordedEpisode,
  type RegradeResult,
  type RegradedEnding,
} from '../regrading.ts';
import type { Replayer } from '../replay.ts';
import type { ActingMessage } from '../trajectory.ts';
import type { SentenceVerdict, Task } from '../types.ts';
import { isAgentFirst } from '../rules.ts';
import type { ServiceCall, ServiceGrade, ServiceObservation, ServiceState } from './port.ts';

interface EpisodeNames {
  readonly episode: string;
  readonly task: string;
  readonly life?: string | undefined;
}

/** Makes calls on a task's state without an agent, one after the other. */
class ServiceCallReplay {
  readonly #environment: PackEnvironment;
  readonly #episode: EpisodeNames;
  /** Calls that have changed the state. */
  readonly #writes: ServiceCall[] = [];
  #made = 0;
  state: ServiceState;

  private constructor(environment: PackEnvironment, episode: EpisodeNames, state: ServiceState) {
    this.#environment = environment;
    this.#episode = episode;
    this.state = state;
  }

  static async begin(environment: PackEnvironment, task: string): Promise<ServiceCallReplay> {
    const names = { episode: `replay:${randomUUID()}`, task };
    const { state, life } = await environment.service.start({ ...environment.domain, ...names });
    return new ServiceCallReplay(environment, { ...names, life }, state);
  }

  async make(call: ServiceCall): Promise<ServiceObservation> {
    this.#made += 1;
    const idempotencyKey = `${this.#episode.episode}/${this.#made}`;
    const answer = await this.#environment.service.call({ ...this.#request(), call, idempotencyKey });
    if (answer.changed) this.#writes.push(call);
    this.state = answer.state;
    return answer;
  }

  grade(
    messages: readonly Readonly<Record<string, unknown>>[],
    endedBy: string,
    verdicts: readonly SentenceVerdict[] | undefined,
  ): Promise<ServiceGrade> {
    return this.#environment.service.grade({ ...this.#request(), messages, endedBy, verdicts });
  }

  #request() {
    return { ...this.#environment.domain, ...this.#episode, calls: [...this.#writes] };
  }
}

function requireEnvironment({ environment, ref }: Pick<Pack, 'environment' | 'ref'>): PackEnvironment {
  if (environment !== undefined) return environment;
  throw new PackError(`the pack ${ref.name} is of no environment service.`);
}

/** @param withState true: lines have the digests of the states */
export function openServiceReplayer(pack: Pack, withState: boolean): Replayer {
  const environment = requireEnvironment(pack);
  const first = Object.values(pack.splits)[0]?.[0]?.name ?? '';
  return {
    startsInTasks: true,
    async line(_, { name, taskId, steps }) {
      const calls = await ServiceCallReplay.begin(environment, typeof taskId === 'string' ? taskId : first);
      const taken = [];
      for (const { action, given } of steps) {
        const { requestor, name: tool, kwargs } = action;
        const call = { requestor: requestor ?? 'assistant', name: tool, arguments: dumpJson(kwargs) } as const;
        const { observation, error, state } = await calls.make(call);
        const digests = withState ? { db: state.agent, user_db: state.user ?? undefined } : {};
        taken.push({ ...(requestor === undefined ? {} : { requestor }), ...given, observation, error, ...digests });
      }
      return { name, task_id: taskId, steps: taken };
    },
  };
}

/** Names of the ends of episodes in results files that differ from this program's. */
const ENDS: Readonly<Record<string, RegradedEnding>> = {
  user_stop: { kind: 'user_stop' },
  agent_stop: { kind: 'user_stop' },
  transferred: { kind: 'transferred' },
};

/** Repeats a recorded episode's calls, and lets the service grade them. Verdicts on sentences are the recording's. */
export async function regradeByService(
  { entry, messages }: RecordedEpisode,
  task: Task,
  pack: Pack,
): Promise<RegradeResult> {
  const { termination_reason: named, nl_assertions: judged, error } = entry.info ?? {};
  const environment = requireEnvironment(pack);
  const calls = await ServiceCallReplay.begin(environment, task.name ?? '');
  const said = messages().filter(({ role }) => role !== 'system');
  const { made, toolErrors, mismatches, isDone } = await carryOut(calls, said);
  const own = pack.ref.environment?.rules === 'solo' ? 'agent_stop' : isDone ? 'transferred' : 'user_stop';
  const reason = named ?? own;
  const verdicts = judged?.map(({ met }, at) => ({ assertion: task.sentences?.[at] ?? '', met, reason: '' }));
  const isGreeted = !isAgentFirst(pack.ref.environment?.rules) || said[0]?.role !== 'user';
  const greet = async () => (await environment.taskPack(task)).pack.userPrompts.greeting;
  const greeting = isGreeted ? [] : [{ role: 'assistant', content: await greet() }];
  const spoken = [...greeting, ...said.map(withRequestor)];
  const grade = await calls.grade(spoken, reason, verdicts);
  const ending: RegradedEnding =
    typeof error === 'string' ? { kind: 'recorded_error', message: error } : (ENDS[reason] ?? { kind: 'not_done' });
  return {
    replayedReward: grade.reward,
    ending,
    executedActions: made,
    recordedActions: made,
    toolErrors,
    dataHash: calls.state.agent ?? '',
    grade: isGradedEnding(ending) ? grade : null,
    unmetParts: grade.parts.flatMap(({ kind, counts }) => {
      const unmet = counts && kind !== 'data' && kind !== 'outputs' ? findUnmet(grade, kind) : [];
      return unmet.length === 0 ? [] : [`${kind}: ${unmet.join(', ')}`];
    }),
    wouldBe: null,
    recordedRewardInfo: null,
    mismatches,
    isOrdered: true,
    refusedWrites: [],
    taskChanges: [],
    dataDiffs: [],
  };
}

/** Makes every call of both sides, and compares the answers with the recording's. */
async function carryOut(calls: ServiceCallReplay, messages: readonly ActingMessage[]) {
  const mismatches: Mismatch[] = [];
  const waiting: Omit<Mismatch, 'recorded'>[] = [];
  let made = 0;
  let toolErrors = 0;
  let isDone = false;
  for (const { role, content, tool_calls: called } of messages) {
    if (role === 'tool') {
      const answered = waiting.shift();
      if (answered !== undefined && answered.replayed !== content) {
        mismatches.push({ ...answered, recorded: typeof content === 'string' ? content : '' });
      }
      continue;
    }
    for (const { function: asked } of called ?? []) {
      if (!asked || parseObject(asked.arguments) === null) continue;
      const requestor = role === 'user' ? 'user' : 'assistant';
      const { observation, error, done } = await calls.make({ requestor, ...asked });
      isDone = done;
      if (error) toolErrors += 1;
      waiting.push({ position: made, action: asked.name, replayed: observation });
      made += 1;
    }
  }
  return { made, toolErrors, mismatches, isDone };
}

/** Adds the requestor to a tool's result. If the file does not name one, it is the side that called last. */
function withRequestor(message: ActingMessage, at: number, all: readonly ActingMessage[]) {
  if (message.role !== 'tool') return { ...message };
  const caller = all.slice(0, at).findLast(({ tool_calls: calls }) => (calls?.length ?? 0) > 0);
  return caller?.role === 'user' ? { ...message, requestor: 'user' } : { ...message };
}
