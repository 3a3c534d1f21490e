/** The work of a judge: finds failed episodes without a verdict, and makes verdicts from the judge's answers. */

import { isTruncated } from '../../agents/index.ts';
import { PROMPT_VERSION, type FaultType, type JudgedAuthor } from '../../analysis/index.ts';
import {
  isSameModel,
  type FailedEpisode,
  type FindFailuresInput,
  type FindFailuresOutput,
  type JudgeSettings,
  type JudgedSource,
  type RecordVerdictInput,
} from '../../evaluation/index.ts';
import { judgedPart, type RunFolders } from '../../run-log/store/index.ts';
import { createFailureReader, type FoundFailure, type Failures, type FailuresDeps } from './failures.ts';
import { readVerdict, verdictPlace, type OpenJudgment, type Verdict, type VerdictPlace } from './verdict.ts';

/**
 * Runs work on the failures of a judged source and their verdicts; for a store, the work may be repeated.
 * @param episode the only episode of the work; null: all
 */
export type UseFailures = <T>(
  source: JudgedSource,
  episode: FailedEpisode | null,
  work: (failures: Failures, place: VerdictPlace) => Promise<T>,
) => Promise<T>;

export function createFailureUse(deps: FailuresDeps, folders: Pick<RunFolders, 'use' | 'checkFiles'>): UseFailures {
  const readFailures = createFailureReader(deps);
  return async (source, episode, work) => {
    const judge = async (judged: OpenJudgment) => work(await readFailures(judged), verdictPlace(judged));
    if (source.kind === 'run') {
      return folders.use(source.run, judgedPart(episode), (log) => judge({ kind: 'run', log }));
    }
    await folders.checkFiles(source.file, verdictPlace(source).document);
    return judge(source);
  };
}

/** Finds the next failed episodes that have no verdict of this judge yet. */
export async function findUnjudged(
  failures: Failures,
  place: VerdictPlace,
  { judge, from, most, page }: FindFailuresInput,
): Promise<FindFailuresOutput> {
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
}

/** Returns true if the same judge has answered the same question before. */
function isKept(verdict: Verdict, failure: FoundFailure, { model }: JudgeSettings): boolean {
  if (verdict.episodeDigest !== failure.digest) return false;
  if (verdict.author === 'infrastructure') return failure.infrastructure !== null;
  const { model: before, problem, promptVersion } = verdict;
  return problem === null && promptVersion === PROMPT_VERSION && before !== null && isSameModel(before, model);
}

/** Makes a verdict from a judge's answers. */
export function toVerdict(input: RecordVerdictInput, failure: FoundFailure): Verdict {
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

/** Most characters of an unreadable answer in a verdict. */
const UNREAD_CHARS = 500;

/** Quotes the start of an answer that cannot be read. */
export function describeUnread(content: string, finishReason: string): string {
  const start = content.length > UNREAD_CHARS ? `${content.slice(0, UNREAD_CHARS)}…` : content;
  const cut = isTruncated(finishReason) ? ' (cut by the token limit; raise it with --max-completion-tokens)' : '';
  return `${JSON.stringify(start)}${cut}`;
}
