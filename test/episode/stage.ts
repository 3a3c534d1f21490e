/**
 * Episodes without a server: the episode's own code over the real environment and grading; models and agents are played
 * by whoever stages it.
 */

import { asToolCalls, findStrategy, type Message } from '../../src/agents/index.ts';
import type { AgentTurnInput, AgentTurnOutput, ForwardInput, ForwardOutput } from '../../src/agent-service/pure.ts';
import {
  listActions,
  applyAction,
  getBenchmark,
  getGrader,
  foldActions,
  taskData,
  type GradeOutput,
} from '../../src/benchmarks/index.ts';
import { resolvePack, type Pack } from '../../src/benchmarks/testing.ts';
import { alteredBy, restoreConversation } from '../../src/conditions/index.ts';
import {
  AgentCalls,
  AgentRequests,
  UsageLedger,
  concludeEpisode,
  fromActionWire,
  gradeEpisode,
  judgeGrade,
  playEpisode,
  toOutcome,
  CallHolder,
  type CompleteInput,
  type EpisodeContext,
  type EpisodeInput,
  type FailedActivity,
  type RecordInput,
  type StartOutput,
  type GradeInput,
  type StepInput,
  type StepOutput,
} from '../../src/episode/index.ts';
import type { EpisodePorts } from '../../src/episode/testing.ts';
import {
  AGENT_SERVICE,
  FailureType,
  TranscriptSender,
  WORKFLOW_VERSION,
  conditionOf,
  episodeSeed,
  type CompleteOutput,
  type EpisodeSummary,
  type EvaluationConfig,
  type HeldCall,
} from '../../src/evaluation/index.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { expandMessages, packUnderCondition } from '../../src/models/prompts/index.ts';
import { buildEpisodeRecord, type EpisodeRecord } from '../../src/run-log/index.ts';
import { createHasher } from '../benchmarks/helpers.ts';

/** An activity's failure. */
export class PlayedFailure extends Error {
  readonly failure: FailedActivity;

  constructor(type: string, message = type, detail?: unknown) {
    super(message);
    this.failure = { kind: 'raised', type, message, detail };
  }
}

/** @returns what an activity does that fails */
export const failing = (type: string, message?: string, detail?: unknown) => () =>
  Promise.reject(new PlayedFailure(type, message, detail));

/** A request to an agent that is a service, as its worker has it. */
export interface AgentTurn extends AgentTurnInput {
  readonly messages: readonly Message[];
  /** Takes the agent's calls. */
  readonly calls: AgentCalls;
}

/** Stand-ins for the models, the agent and the sweep of an episode. */
export interface Cast {
  /** Answers model calls. */
  readonly complete: (input: CompleteInput, messages: readonly Message[]) => Promise<CompleteOutput>;
  /** Answers requests of an agent that is a service. */
  readonly agent?: (turn: AgentTurn) => Promise<AgentTurnOutput>;
  /** Makes model calls of such an agent. */
  readonly forward?: (input: ForwardInput) => Promise<ForwardOutput>;
  readonly record?: (input: RecordInput) => Promise<void>;
  /** Begins an episode on an environment service. */
  readonly start?: () => Promise<StartOutput>;
  /** Takes a step in the place of the pack's own environment. */
  readonly step?: (input: StepInput) => Promise<StepOutput>;
  /** Grades in the place of the benchmark. */
  readonly grade?: (input: GradeInput) => Promise<GradeOutput>;
  readonly holder?: CallHolder;
  readonly transcripts?: TranscriptStore;
}

export interface StagedEpisode {
  readonly summary: EpisodeSummary;
  /** The record as its file has it. */
  readonly record: EpisodeRecord;
  /** Summaries of its activities, in their order. */
  readonly activities: readonly string[];
  readonly asked: readonly CompleteInput[];
  readonly taken: readonly StepInput[];
  /** Its live transcript. */
  readonly shown: string;
}

const packs = new Map<string, Promise<Pack>>();
/** Reading a pack's whole data for their hash costs more than an episode. */
const hashers = new Map<Pack, ReturnType<typeof createHasher>>();

export const scripted = (model: string) => ({ provider: 'scripted', model, temperature: 0 });

export function findPack(name: string): Promise<Pack> {
  const pack = packs.get(name) ?? resolvePack(name);
  packs.set(name, pack);
  return pack;
}

/** @param pack @default the shipped one of the environment */
export async function stagedConfig(changes: Partial<EvaluationConfig> = {}, pack?: Pack): Promise<EvaluationConfig> {
  const { domain, ref } = pack ?? (await findPack(changes.env ?? 'retail'));
  if (pack !== undefined) packs.set(domain, Promise.resolve(pack));
  return {
    env: domain,
    split: 'test',
    pack: ref,
    strategy: 'tool-calling',
    strategyOptions: { omitPolicy: false, useReasoning: true },
    agentModel: scripted('oracle'),
    userStrategy: 'llm',
    userModel: scripted('oracle'),
    maxSteps: 30,
    seed: 10,
    maxRetries: 3,
    episodeTimeoutMs: 60_000,
    ...changes,
  };
}

/** @returns the calls of an episode whose sweep releases each that is held at once */
export function releasingHolder(
  config: EvaluationConfig,
  onHeld: (call: HeldCall) => void = () => undefined,
): CallHolder {
  const waiting = { now: () => 0, show: () => undefined, until: () => Promise.resolve() };
  const input = { config, run: { runId: 'r', logDir: '/n' }, queues: { main: 'q', llm: 'l' }, indexed: false };
  const holder: CallHolder = new CallHolder({ ...input, episode: { taskId: 0, trial: 0 } }, waiting, {
    reportHeld: (call) => {
      onHeld(call);
      holder.release({ call: call.call, again: true });
      return Promise.resolve(true);
    },
    reportAnswered: () => Promise.resolve(true),
  });
  return holder;
}

export const readPlayedFailure: EpisodePorts['readFailure'] = (error) =>
  error instanceof PlayedFailure ? error.failure : undefined;

/** Plays an episode, or a fork of one, to its end. */
export async function stageEpisode(
  given: Pick<EpisodeInput, 'config'> & Partial<EpisodeInput>,
  cast: Cast,
): Promise<StagedEpisode> {
  const input: EpisodeInput = {
    ...{ run: { runId: 'r', logDir: '/n' }, queues: { main: 'q', llm: 'q-llm' }, indexed: false },
    ...{ episode: { taskId: 0, trial: 0 }, version: WORKFLOW_VERSION },
    ...given,
  };
  const { config, episode, fork } = input;
  const pack = await findPack(config.env);
  const task = pack.splits[config.split]?.[episode.taskId];
  if (task === undefined) throw new Error(`there is no task ${episode.taskId}`);
  const form = findStrategy(config.strategy)?.form;
  const { transcripts = new TranscriptStore() } = cast;
  const activities: string[] = [];
  const asked: CompleteInput[] = [];
  const taken: StepInput[] = [];
  let shown = '';
  let recorded: RecordInput | undefined;
  let names = 0;

  const resolve = (transcript: CompleteInput['transcript']): Promise<Message[]> => {
    const messages = transcripts.resolve(transcript.thread, transcript);
    return messages === undefined ? failing(FailureType.TranscriptMissing)() : Promise.resolve(messages);
  };
  const ports: EpisodePorts = {
    activities: {
      complete: async (summary, call) => {
        activities.push(summary);
        asked.push(structuredClone(call));
        return await cast.complete(call, await resolve(call.transcript));
      },
      forward: (summary, call) => {
        activities.push(summary);
        return cast.forward?.(call) ?? failing('NotPlayed')();
      },
      agentTurn: async (summary, turn) => {
        activities.push(summary);
        const messages = await resolve(turn.conversation);
        return (await cast.agent?.({ ...turn, messages, calls })) ?? failing('NotPlayed')();
      },
      start: (summary) => {
        activities.push(summary);
        return cast.start?.() ?? failing('NotPlayed')();
      },
      step: (summary, step) => {
        activities.push(summary);
        taken.push(structuredClone(step));
        if (cast.step !== undefined) return cast.step(step);
        const data = taskData(pack, task);
        return Promise.resolve(
          applyAction(data, foldActions(data, step.writes.map(fromActionWire)), fromActionWire(step.action)),
        );
      },
      grade: async (summary, asked) => {
        activities.push(summary);
        if (cast.grade !== undefined) return cast.grade(asked);
        const { trajectory } = asked;
        const conversed = await resolve(trajectory);
        const messages = asked.altered === undefined ? conversed : restoreConversation(conversed, form, asked.altered);
        const { toInfo } = getBenchmark(pack.domain).grading;
        const hash = hashers.get(pack) ?? createHasher(pack);
        hashers.set(pack, hash);
        const conversation = {
          actions: () => listActions(messages, form),
          messages: () => asToolCalls(messages, form),
        };
        const graded = getGrader(pack.domain).grade(pack, task, conversation, { hash });
        return graded.kind === 'raised' ? graded : { kind: 'graded', info: toInfo(graded.grade) };
      },
      record: async (summary, record) => {
        activities.push(summary);
        recorded = structuredClone(record);
        await cast.record?.(record);
        return null;
      },
    },
    display: { now: () => Date.now(), show: (markdown) => void (shown = markdown) },
    readFailure: readPlayedFailure,
    openScope: () => ({ run: (work) => work(), cancel: () => undefined }),
    uuid: () => `episode-${(names += 1)}`,
    wait: (ms) => {
      activities.push(`wait ${ms}`);
      return Promise.resolve();
    },
  };
  const context: EpisodeContext = {
    ...{ input, ports, sender: new TranscriptSender(input.repeats), ledger: new UsageLedger(), holder: cast.holder },
  };
  const calls = new AgentCalls(context);
  const agent = config.strategy === AGENT_SERVICE ? new AgentRequests(context, calls) : undefined;
  const played = await playEpisode(context, { agent });
  const outcome = 'error' in played ? toOutcome(played.error, readPlayedFailure(played.error)) : played.outcome;
  if (outcome === undefined) throw 'error' in played ? played.error : undefined;
  const ended = { ...played, outcome };
  const graded = await judgeGrade(context, played.session, await gradeEpisode(context, ended));
  const name = fork === undefined ? '' : `/${fork.name}`;
  const run = { startedAt: 0, workflowId: `r/task-${episode.taskId}/trial-${episode.trial}${name}` };
  const { summary } = await concludeEpisode(context, ended, graded, { ...run, workflowRunId: `run${name}` });
  if (recorded === undefined) throw new Error('the episode was not recorded');
  const trajectory = played.session?.trajectory ?? [];
  const strategy = findStrategy(config.strategy);
  if (strategy === undefined) throw new Error(`there is no strategy ${config.strategy}`);
  const condition = conditionOf(config, episode);
  const executed =
    condition === undefined ? trajectory : restoreConversation(trajectory, form, alteredBy(condition, recorded.steps));
  const prompts = {
    pack: packUnderCondition(pack, condition),
    split: config.split,
    taskId: episode.taskId,
    strategy,
    options: config.strategyOptions,
  };
  const record = buildEpisodeRecord(recorded, {
    task,
    messages: expandMessages(trajectory, { ...prompts, seed: episodeSeed(config.seed, episode) }),
    actions: listActions(executed, form, outcome.kind === 'decision_only' ? undefined : recorded.steps.length),
  });
  return { summary, record, activities, asked, taken, shown };
}
