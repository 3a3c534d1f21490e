/**
 * The activities `step` and `grade`: the benchmark's environment, on any worker. An episode's state is a fold over its
 * writes. Repeating a few writes takes microseconds, so no state is stored between calls.
 */

import { ApplicationFailure, Context } from '@temporalio/activity';
import { asToolCalls } from '../src/agents/index.ts';
import {
  StepRaised,
  listActions,
  applyAction,
  getBenchmark,
  getGrader,
  foldActions,
  taskData,
  type StateHasher,
  type GradeOutput,
} from '../src/benchmarks/index.ts';
import { sha256Hashing } from '../src/io/index.ts';
import type { TranscriptStore } from '../src/models/index.ts';
import type { Pack } from '../src/benchmarks/packs/index.ts';
import { restoreConversation } from '../src/conditions/index.ts';
import { FailureType, digestText } from '../src/evaluation/index.ts';
import {
  fromActionWire,
  type GradeInput,
  type StartInput,
  type StartOutput,
  type StepInput,
  type StepOutput,
} from '../src/episode/index.ts';
import type { EpisodeWatch } from '../src/run-log/index.ts';
import { withAttempts } from './attempts.ts';
import type { CallResults } from './call-results.ts';
import { gradeService, startService, stepService } from './environment-service.ts';
import { loadPack, resolveTranscript, lookUpTask, type PackLookup } from './lookups.ts';

export interface EnvironmentDeps {
  readonly findPack: PackLookup;
  readonly transcripts: TranscriptStore;
}

/** Most attempts. The activities are pure, so one that fails five times has a bug. */
const MOST_ATTEMPTS = 5;
/**
 * Largest observation in bytes. The shipped packs' largest have 10 kB; only an action's own arguments can make a larger
 * one.
 */
const MAX_OBSERVATION_BYTES = 512 * 1024;

export function createEnvironmentActivities(
  { findPack, transcripts }: EnvironmentDeps,
  watch?: Pick<EpisodeWatch, 'step'>,
  results?: CallResults,
) {
  const hashers = new WeakMap<Pack, StateHasher>();
  const openHasher = (pack: Pack): StateHasher => {
    const hasher = hashers.get(pack) ?? getGrader(pack.domain).openHashers(pack, sha256Hashing).agent;
    hashers.set(pack, hasher);
    return hasher;
  };
  return {
    /** Begins an episode on an environment service. */
    start: untilHeld(async ({ pack: ref, task }: StartInput): Promise<StartOutput> => {
      const pack = await loadPack(findPack, ref);
      return startService({ ...pack, ref }, lookUpTask(pack, task.split, task.taskId));
    }),

    /** Takes one action after the episode's earlier writes. */
    step: untilHeld(async (input: StepInput): Promise<StepOutput> => {
      const { pack: ref, writes, action } = input;
      const pack = await loadPack(findPack, ref);
      const task = input.task && lookUpTask(pack, input.task.split, input.task.taskId);
      const step = async (): Promise<StepOutput> => {
        if (task !== undefined && pack.environment !== undefined) return stepService(pack.environment, task, input);
        const data = task === undefined ? pack : taskData(pack, task);
        const state = foldActions(data, writes.map(fromActionWire));
        return take(() => applyAction(data, state, fromActionWire(action)));
      };
      const { observation, source, done, changed, failed } = await step();
      const bytes = Buffer.byteLength(observation);
      if (bytes > MAX_OBSERVATION_BYTES) {
        const message = `the observation of ${action.name} has ${bytes} bytes; an episode takes ${MAX_OBSERVATION_BYTES}`;
        throw ApplicationFailure.nonRetryable(message, FailureType.ObservationTooLong);
      }
      const output: StepOutput = { observation, source, done, changed, ...(failed === undefined ? {} : { failed }) };
      watch?.step(Context.current().info, input, output);
      results?.leave(Context.current().info, () => digestText(observation), { observation, done });
      return output;
    }),

    /** Grades the actions of a trajectory. It changes nothing, so it may be repeated. */
    grade: untilHeld(
      async ({ pack: ref, split, taskId, trajectory, form, altered, service }: GradeInput): Promise<GradeOutput> => {
        const pack = await loadPack(findPack, ref);
        const played = resolveTranscript(transcripts, trajectory);
        const messages = altered === undefined ? played : restoreConversation(played, form, altered);
        const task = lookUpTask(pack, split, taskId);
        const { toInfo } = getBenchmark(pack.domain).grading;
        if (service !== undefined) {
          return {
            kind: 'graded',
            info: toInfo(await gradeService({ ...pack, ref }, task, asToolCalls(messages, form), service)),
          };
        }
        const hasher = openHasher(pack);
        const conversation = {
          actions: () => listActions(messages, form),
          messages: () => asToolCalls(messages, form),
        };
        const graded = getGrader(pack.domain).grade(pack, task, conversation, { hash: (state) => hasher.hash(state) });
        return graded.kind === 'raised' ? graded : { kind: 'graded', info: toInfo(graded.grade) };
      },
    ),
  };
}

/** Ends the retries of an activity if the environment service is away, so that the episode holds the call. */
function untilHeld<Input extends Pick<StepInput, 'maxRetries'> & Pick<GradeInput, 'service'>, Output>(
  work: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  const mostMisses = ({ maxRetries, service }: Input) => maxRetries ?? service?.maxRetries ?? 0;
  return withAttempts(MOST_ATTEMPTS, work, undefined, mostMisses);
}

function take<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof StepRaised) throw ApplicationFailure.nonRetryable(error.message, FailureType.StepRaised);
    throw error;
  }
}
