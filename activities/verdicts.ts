/**
 * `findFailures`, `recordVerdict`, `closeErrors`: what a judge's work begins with and leaves behind. Each may run twice
 * with the same effect.
 */

import { PROMPT_VERSION, type FaultType, type JudgedAuthor } from '../src/analysis/index.ts';
import {
  currentVerdicts,
  errorsDocument,
  readVerdict,
  verdictPlace,
  writeErrors,
  writeVerdict,
  type Failure,
  type Verdict,
} from '../src/results/judge/index.ts';
import type {
  CloseJudgeInput,
  FailedEpisode,
  FindFailuresInput,
  FindFailuresOutput,
  JudgeSettings,
  RecordVerdictInput,
} from '../src/wire/index.ts';
import { withAttempts } from './attempts.ts';
import { failureNamed, type OpenFailures } from './judge.ts';

/** About an hour, as for a run's records. */
const MOST_ATTEMPTS = 60;

export function createVerdictActivities(openFailures: OpenFailures) {
  return {
    /** The next failed episodes that have no verdict of this judge yet. */
    findFailures: withAttempts(MOST_ATTEMPTS, async (input: FindFailuresInput): Promise<FindFailuresOutput> => {
      const { source, judge, from, most, page } = input;
      const place = verdictPlace(source);
      const failures = await openFailures(source);
      const episodes: FailedEpisode[] = [];
      let kept = 0;
      for (let position = from; position < failures.length; position++) {
        if (kept + episodes.length === most) break;
        if (episodes.length === page) return { episodes, kept, next: position };
        const failure = await failures.at(position);
        if (failure === null) continue;
        const { key, index, infrastructure } = failure;
        const verdict = await readVerdict(place, { ...key, index });
        if (verdict !== null && isKept(verdict, failure, judge)) kept += 1;
        else episodes.push({ ...key, index, isInfrastructure: infrastructure !== null });
      }
      return { episodes, kept, next: null };
    }),

    recordVerdict: withAttempts(MOST_ATTEMPTS, async (input: RecordVerdictInput): Promise<void> => {
      const { source, episode } = input;
      const failure = await failureNamed(await openFailures(source), episode);
      await writeVerdict(verdictPlace(source), verdictOf(input, failure));
    }),

    /** Puts the verdicts on what has failed together. */
    closeErrors: withAttempts(MOST_ATTEMPTS, async ({ source }: CloseJudgeInput): Promise<void> => {
      const place = verdictPlace(source);
      const { verdicts } = await currentVerdicts(place, await openFailures(source));
      await writeErrors(place, errorsDocument(verdicts));
    }),
  };
}

/** A verdict stays when the same judge would be asked the same, and has answered before. */
function isKept(verdict: Verdict, failure: Failure, { model }: JudgeSettings): boolean {
  if (verdict.episodeDigest !== failure.digest) return false;
  if (verdict.author === 'infrastructure') return failure.infrastructure !== null;
  const { model: before, problem, promptVersion } = verdict;
  return (
    problem === null &&
    promptVersion === PROMPT_VERSION &&
    before?.provider === model.provider &&
    before.model === model.model &&
    before.temperature === model.temperature
  );
}

function verdictOf(input: RecordVerdictInput, failure: Failure): Verdict {
  const { author, fault, problem, spent, judge } = input;
  const { infrastructure } = failure;
  return {
    formatVersion: 1,
    runId: failure.runId,
    ...failure.key,
    index: failure.index,
    author: infrastructure !== null ? 'infrastructure' : ((author?.choice as JudgedAuthor | undefined) ?? 'unjudged'),
    description: infrastructure ?? author?.description ?? '',
    quotes: [...(author?.quotes ?? [])],
    faultType: (fault?.choice as FaultType | undefined) ?? null,
    faultDescription: fault?.description ?? null,
    faultQuotes: [...(fault?.quotes ?? [])],
    unfoundQuotes: (author?.unfoundQuotes ?? 0) + (fault?.unfoundQuotes ?? 0),
    problem,
    deterministic: failure.deterministic,
    model: infrastructure === null ? judge.model : null,
    episodeDigest: failure.digest,
    promptVersion: PROMPT_VERSION,
    ...spent,
  };
}
