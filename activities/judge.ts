/**
 * The activities of the judge. `findFailures` lists failed episodes without an answer of this judge, `judge` puts one
 * question to it, `recordVerdict` and `closeErrors` write its answers; each may run twice with the same effect.
 *
 * Conversations are read from the run log and prompts are made here, so that neither enters a history.
 */

import { ApplicationFailure, Context } from '@temporalio/activity';
import { separateReasoning } from '../src/agents/index.ts';
import { ANSWER_FIELDS, judgePrompt, readJudgeAnswer } from '../src/analysis/index.ts';
import { idempotencyKey, priceReply, withRemedy, type CallModel } from '../src/models/index.ts';
import { readReplyFields } from '../src/models/prompts/index.ts';
import {
  currentVerdicts,
  describeUnread,
  errorsDocument,
  findUnjudged,
  toVerdict,
  writeErrors,
  writeVerdict,
  type FoundFailure,
  type Failures,
  type UseFailures,
} from '../src/results/judge/index.ts';
import {
  REPLY_LIMITS,
  FailureType,
  episodeName,
  findExcess,
  type CloseJudgeInput,
  type FailedEpisode,
  type FindFailuresInput,
  type FindFailuresOutput,
  type JudgeInput,
  type JudgeOutput,
  type RecordVerdictInput,
} from '../src/evaluation/index.ts';

import { callWithRetries, toBounds, withAttempts, type CallDeps } from './attempts.ts';

export interface JudgeDeps extends CallDeps {
  readonly callModel: CallModel;
}

export function createJudgeActivity(
  deps: JudgeDeps,
  useFailures: UseFailures,
): (input: JudgeInput) => Promise<JudgeOutput> {
  return async function judge({ source, episode, judge: settings, question, attempt }) {
    const { model } = settings;
    return callWithRetries(toBounds(deps, settings), async (call, options) => {
      const { episode: shown } = await useFailures(source, episode, (failures) => findFailure(failures, episode));
      const { system, user } = judgePrompt(question, shown, attempt);
      const place = episode.index === null ? '' : `/result-${String(episode.index)}`;
      const name = `judge/${episodeName(episode)}${place}/${question}/${String(attempt)}`;
      const calling = deps.callModel(
        {
          ...model,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
          format: 'json',
          maxCompletionTokens: settings.maxCompletionTokens,
          idempotencyKey: idempotencyKey(Context.current().info, name, call.before),
        },
        options,
      );
      const reply = await calling.catch((error: unknown) => {
        throw withRemedy(error, 'agent', model.wire);
      });
      const { usage, servedModel, finishReason, latencyMs } = reply;
      const message = separateReasoning(reply.message);
      const isTooLong = findExcess(message, REPLY_LIMITS) !== undefined;
      const fields = isTooLong ? null : readReplyFields(message.content, ANSWER_FIELDS);
      const answer = readJudgeAnswer(question, fields, shown.lines);
      return {
        answer,
        unread: answer === null ? describeUnread(message.content ?? '', finishReason) : undefined,
        calls: 1,
        ...usage,
        costUsd: priceReply(deps.priceCall, settings, reply),
        servedModel,
        finishReason,
        latencyMs,
        failedReplies: call.failedReplies,
      };
    });
  };
}

/** @throws ApplicationFailure, not retryable, if the episode has run again, or its record was removed */
async function findFailure(failures: Failures, episode: FailedEpisode): Promise<FoundFailure> {
  const failure = await failures.find(episode);
  if (failure !== null) return failure;
  const message = `${episodeName(episode)} has no record of a failure any more`;
  throw ApplicationFailure.nonRetryable(message, FailureType.EpisodeGone);
}

/** Most attempts, for about an hour, as for a run's records. */
const MOST_ATTEMPTS = 60;

export function createVerdictActivities(useFailures: UseFailures) {
  return {
    /** Finds the next failed episodes that have no verdict of this judge yet. */
    findFailures: withAttempts(MOST_ATTEMPTS, async (input: FindFailuresInput): Promise<FindFailuresOutput> => {
      return useFailures(input.source, null, (failures, place) => findUnjudged(failures, place, input));
    }),

    recordVerdict: withAttempts(MOST_ATTEMPTS, async (input: RecordVerdictInput): Promise<void> => {
      const { source, episode } = input;
      await useFailures(source, episode, async (failures, place) => {
        await writeVerdict(place, toVerdict(input, await findFailure(failures, episode)));
      });
    }),

    /** Writes the document with the verdicts on all failed episodes. */
    closeErrors: withAttempts(MOST_ATTEMPTS, async ({ source }: CloseJudgeInput): Promise<void> => {
      await useFailures(source, null, async (failures, place) => {
        const { verdicts } = await currentVerdicts(place, failures);
        await writeErrors(place, errorsDocument(verdicts));
      });
    }),
  };
}
