/**
 * Episodes and forks of them without a server: the workflow's own session and model calls over `fork-activities.ts`,
 * with which a test has to mock `workflows/activities.ts`. What the calls come to is kept as a history would have it.
 */

import { executedActions } from '../../activities/testing.ts';
import { findStrategy } from '../../src/agents/index.ts';
import { grade, type GradeOutput } from '../../src/benchmarks/index.ts';
import { toRewardInfo, resolvePack, type Pack } from '../../src/benchmarks/testing.ts';
import { expandMessages } from '../../src/models/prompts/index.ts';
import { TranscriptStore } from '../../src/models/index.ts';
import { buildFork, buildEpisodeRecord, recordCodec, type EpisodeRecord } from '../../src/run-log/index.ts';
import type { ForkRequest } from '../../src/run-log/testing.ts';
import {
  UsageLedger,
  ReplayedPrefix,
  type CompleteInput,
  type EpisodeInput,
  type RecordedReply,
  type EpisodeSession,
} from '../../src/episode/index.ts';
import { episodeSeed, TranscriptSender, type EvaluationConfig, type Outcome } from '../../src/evaluation/index.ts';
import { outcomeOf, solve } from '../../workflows/testing.ts';
import { createHasher } from '../benchmarks/helpers.ts';
import { newResponder } from '../scripted-model/helpers.ts';
import { promptContext, setStage, type Stage, type Trouble } from './fork-activities.ts';

export interface StagedEpisode {
  readonly input: EpisodeInput;
  readonly record: EpisodeRecord;
  /** Results of the model calls that were made, replayed ones first. */
  readonly replies: readonly RecordedReply[];
  /** The calls that were made. */
  readonly live: readonly CompleteInput[];
}

const packs = new Map<string, Pack>();
/** Reading a pack's whole data for their hash costs more than an episode. */
const hashers = new Map<Pack, ReturnType<typeof createHasher>>();

export async function stagedConfig(changes: Partial<EvaluationConfig> = {}): Promise<EvaluationConfig> {
  const env = changes.env ?? 'retail';
  const pack = packs.get(env) ?? (await resolvePack(env));
  packs.set(env, pack);
  const scripted = (model: string) => ({ provider: 'scripted', model, temperature: 0 });
  return {
    env,
    split: 'test',
    pack: pack.ref,
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

/** Plays an episode, or a fork of one, to its end. */
export async function playStaged(
  given: Pick<EpisodeInput, 'config' | 'episode'> & Partial<EpisodeInput>,
  trouble: Trouble = () => undefined,
): Promise<StagedEpisode> {
  const input = { run: { runId: 'r', logDir: '/n' }, queues: { main: 'q', llm: 'q-llm' }, indexed: false, ...given };
  const { config, episode, fork } = input;
  const pack = packs.get(config.env);
  if (pack === undefined) throw new Error(`stagedConfig gives configurations, also of ${config.env}`);
  const stage: Stage = {
    pack,
    responder: newResponder(pack),
    transcripts: new TranscriptStore(),
    live: [],
    replies: [],
    trouble,
  };
  setStage(stage);
  const played = await lead(input);
  const { session, kept, ledger } = played;
  const { live, replies } = stage;
  const task = pack.splits[config.split]?.[episode.taskId];
  if (task === undefined) throw new Error(`there is no task ${episode.taskId}`);
  const trajectory = session?.trajectory ?? [];
  const { form } = findStrategy(config.strategy) ?? {};
  const actions = executedActions(trajectory, form, session?.steps.length ?? 0);
  const hash = hashers.get(pack) ?? createHasher(pack);
  hashers.set(pack, hash);
  const { outcome, graded } = gradeOf(played.outcome, () => {
    const given = grade(pack, task, actions, { hash });
    return given.kind === 'raised' ? given : { kind: 'graded', info: toRewardInfo(given.grade) };
  });
  const name = fork === undefined ? '' : `/${fork.name}`;
  const record = buildEpisodeRecord(
    {
      run: input.run,
      episode,
      config,
      workflowId: `r/task-${episode.taskId}/trial-${episode.trial}${name}`,
      workflowRunId: `run${name}`,
      trajectory: { thread: 't', keep: 0, digest: '', items: [] },
      outcome,
      reward: graded?.kind === 'graded' ? graded.info.reward : 0,
      grade: graded,
      wouldBeGrade: null,
      steps: session?.steps ?? [],
      counts: Object.fromEntries(session?.counts ?? []),
      usage: ledger.roles(),
      served: ledger.served(),
      startedAt: new Date(0).toISOString(),
      endedAt: new Date(0).toISOString(),
      ...(kept === undefined ? {} : { fork: kept.facts() }),
    },
    {
      task,
      messages: expandMessages(
        trajectory,
        promptContext(pack, { ...config, episode, seed: episodeSeed(config.seed, episode) }),
      ),
      actions,
    },
  );
  const replayed = fork?.replies.slice(0, record.fork?.replayedCalls) ?? [];
  // As whoever forks it has it: read back from its file.
  return { input, record: recordCodec.read(recordCodec.write(record)), replies: [...replayed, ...replies], live };
}

/** Forks a staged episode. */
export function forkStaged(
  { input, record, replies }: StagedEpisode,
  request: Partial<ForkRequest> & Pick<ForkRequest, 'atStep'>,
  changes: Partial<EvaluationConfig> = {},
  trouble?: Trouble,
): Promise<StagedEpisode> {
  const config = { ...input.config, ...changes };
  const fork = buildFork(record, replies, { name: 'fork-1', strategy: config.strategy, changes: [], ...request });
  return playStaged({ ...input, config, fork: JSON.parse(JSON.stringify(fork)) as typeof fork }, trouble);
}

interface Led {
  readonly outcome: Outcome;
  readonly session: EpisodeSession | null;
  readonly ledger: UsageLedger;
  readonly kept: ReplayedPrefix | undefined;
}

async function lead(input: EpisodeInput): Promise<Led> {
  const ledger = new UsageLedger();
  const kept = input.fork === undefined ? undefined : new ReplayedPrefix(input.fork);
  const { session, ...end } = await solve(input, { sender: new TranscriptSender(), ledger, kept });
  const outcome = 'error' in end ? outcomeOf(end.error) : end.outcome;
  if (outcome === undefined) throw 'error' in end ? end.error : undefined;
  return { outcome, session, ledger, kept };
}

function gradeOf(outcome: Outcome, gradeNow: () => GradeOutput): { outcome: Outcome; graded: GradeOutput | null } {
  if (outcome.kind !== 'user_stop' && outcome.kind !== 'transferred') return { outcome, graded: null };
  return { outcome, graded: gradeNow() };
}
