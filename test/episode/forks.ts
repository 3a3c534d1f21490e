/** Episodes that the scripted model plays, and forks of them. */

import type { EpisodeInput, RecordedReply } from '../../src/episode/index.ts';
import type { EvaluationConfig } from '../../src/evaluation/index.ts';
import { buildFork, recordCodec } from '../../src/run-log/index.ts';
import type { ForkRequest } from '../../src/run-log/testing.ts';
import { playScripted, type Trouble } from './models.ts';
import { findPack, stageEpisode, type StagedEpisode } from './stage.ts';

export interface PlayedEpisode extends Pick<StagedEpisode, 'record' | 'asked'> {
  readonly input: Pick<EpisodeInput, 'config' | 'episode' | 'fork'>;
  /** Results of the model calls that were made, replayed ones first. */
  readonly replies: readonly RecordedReply[];
}

/** Plays an episode, or a fork of one, to its end. */
export async function playStaged(input: PlayedEpisode['input'], trouble?: Trouble): Promise<PlayedEpisode> {
  const { complete, replies } = playScripted(await findPack(input.config.env), trouble);
  const { record, asked } = await stageEpisode(input, { complete });
  const replayed = input.fork?.replies.slice(0, record.fork?.replayedCalls) ?? [];
  // As whoever forks it has it: read back from its file.
  return { input, record: recordCodec.read(recordCodec.write(record)), replies: [...replayed, ...replies], asked };
}

/** Forks a staged episode. */
export function forkStaged(
  { input, record, replies }: Omit<PlayedEpisode, 'asked'>,
  request: Partial<ForkRequest> & Pick<ForkRequest, 'atStep'>,
  changes: Partial<EvaluationConfig> = {},
  trouble?: Trouble,
): Promise<PlayedEpisode> {
  const config = { ...input.config, ...changes };
  const fork = buildFork(record, replies, { name: 'fork-1', strategy: config.strategy, changes: [], ...request });
  return playStaged({ ...input, config, fork: JSON.parse(JSON.stringify(fork)) as typeof fork }, trouble);
}
