/**
 * The activities of the judge. `findFailures` lists failed episodes without an answer of this judge, `judge` puts one
 * question to it, `recordVerdict` and `closeErrors` write its answers; each may run twice with the same effect.
 *
 * Conversations are read from the run log and prompts are made here, so that neither enters a history.
 */

import { isTruncated } from '../src/agents/index.ts';
import { ApplicationFailure } from '@temporalio/activity';
import {
  ANSWER_FIELDS,
  PROMPT_VERSION,
  judgePrompt,
  readAnswer,
  type FaultType,
  type JudgedAuthor,
} from '../src/analysis/index.ts';
import { withRemedy, type CallModel } from '../src/models/index.ts';
import { readReplyFields } from '../src/models/prompts/index.ts';
import {
  currentVerdicts,
  errorsDocument,
  readVerdict,
  writeErrors,
  writeVerdict,
  type Failure,
  type Failures,
  type Verdict,
  type VerdictPlace,
} from '../src/results/judge/index.ts';
import {
  isSameModel,
  DEFAULT_REPLY_LIMITS,
  FailureType,
  episodeName,
  findExcess,
  type CloseJudgeInput,
  type FailedEpisode,
  type FindFailuresInput,
  type FindFailuresOutput,
  type JudgeInput,
  type JudgeOutput,
  type JudgeSettings,
  type JudgedSource,
  type RecordVerdictInput,
} from '../src/evaluation/index.ts';

import { failedBefore, priceFailed } from './failed-replies.ts';
import { callWithRetries, idempotencyKey, priced, type CallDeps } from './model-calls.ts';
import { withAttempts } from './attempts.ts';

export interface JudgeDeps extends CallDeps {
  readonly callModel: CallModel;
}

/**
 * Works on the failures of a judged source and the verdicts on them; in a store, the work may be done more than once.
 * @param episode the one that the work is about; null: all
 */
export type UseFailures = <T>(
  source: JudgedSource,
  episode: FailedEpisode | null,
  work: (failures: Failures, place: VerdictPlace) => Promise<T>,
) => Promise<T>;

export function createJudgeActivity(
  deps: JudgeDeps,
  useFailures: UseFailures,
): (input: JudgeInput) => Promise<JudgeOutput> {
  return async function judge({ source, episode, judge: settings, question, attempt }) {
    const { model, maxRetries } = settings;
    const { limits, random } = deps;
    const priceOf = priceFailed(deps.priceCall, settings);
    return callWithRetries({ maxRetries, provider: model.provider, limits, random, priceOf }, async (call) => {
      const { episode: shown } = await useFailures(source, episode, (failures) => findFailure(failures, episode));
      const { system, user } = judgePrompt(question, shown, attempt);
      const place = episode.index === null ? '' : `/result-${String(episode.index)}`;
      const calling = deps.callModel(
        {
          ...model,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
          format: 'json',
          ...(settings.maxCompletionTokens === undefined ? {} : { maxCompletionTokens: settings.maxCompletionTokens }),
          idempotencyKey: idempotencyKey(call, `judge/${episodeName(episode)}${place}/${question}/${String(attempt)}`),
        },
        call.callOptions,
      );
      const reply = await calling.catch((error: unknown) => {
        throw withRemedy(error, 'agent', model.wire);
      });
      const { message, usage, costUsd, servedModel, finishReason, latencyMs } = priced(deps.priceCall, settings, reply);
      const isTooLong = findExcess(message, DEFAULT_REPLY_LIMITS) !== undefined;
      const fields = isTooLong ? null : readReplyFields(message.content, ANSWER_FIELDS);
      const answer = readAnswer(question, fields, shown.lines);
      const unread = answer === null ? { unread: describeUnread(message.content ?? '', finishReason) } : {};
      return {
        answer,
        ...unread,
        calls: 1,
        ...usage,
        costUsd,
        servedModel,
        finishReason,
        latencyMs,
        ...failedBefore(call),
      };
    });
  };
}

/** Characters of an unreadable answer that a verdict keeps. */
const UNREAD_CHARS = 500;

function describeUnread(content: string, finishReason: string): string {
  const start = content.length > UNREAD_CHARS ? `${content.slice(0, UNREAD_CHARS)}…` : content;
  const cut = isTruncated(finishReason) ? ' (cut by the token limit; raise it with --max-completion-tokens)' : '';
  return `${JSON.stringify(start)}${cut}`;
}

/** @throws ApplicationFailure, not retryable: the episode has run again meanwhile, or its record was taken away */
async function findFailure(failures: Failures, episode: FailedEpisode): Promise<Failure> {
  const failure = await failures.find(episode);
  if (failure !== null) return failure;
  const message = `${episodeName(episode)} has no record of a failure any more`;
  throw ApplicationFailure.nonRetryable(message, FailureType.EpisodeGone);
}

/** About an hour, as for a run's records. */
const MOST_ATTEMPTS = 60;

export function createVerdictActivities(useFailures: UseFailures) {
  return {
    /** The next failed episodes that have no verdict of this judge yet. */
    findFailures: withAttempts(MOST_ATTEMPTS, async (input: FindFailuresInput): Promise<FindFailuresOutput> => {
      const { source, judge, from, most, page } = input;
      return useFailures(source, null, async (failures, place) => {
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
      });
    }),

    recordVerdict: withAttempts(MOST_ATTEMPTS, async (input: RecordVerdictInput): Promise<void> => {
      const { source, episode } = input;
      await useFailures(source, episode, async (failures, place) => {
        await writeVerdict(place, verdictOf(input, await findFailure(failures, episode)));
      });
    }),

    /** Puts the verdicts on what has failed together. */
    closeErrors: withAttempts(MOST_ATTEMPTS, async ({ source }: CloseJudgeInput): Promise<void> => {
      await useFailures(source, null, async (failures, place) => {
        const { verdicts } = await currentVerdicts(place, failures);
        await writeErrors(place, errorsDocument(verdicts));
      });
    }),
  };
}

/** @returns true if the same judge has answered the same question before */
function isKept(verdict: Verdict, failure: Failure, { model }: JudgeSettings): boolean {
  if (verdict.episodeDigest !== failure.digest) return false;
  if (verdict.author === 'infrastructure') return failure.infrastructure !== null;
  const { model: before, problem, promptVersion } = verdict;
  return problem === null && promptVersion === PROMPT_VERSION && before !== null && isSameModel(before, model);
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
