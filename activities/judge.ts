/**
 * `judge`: one question to a judge about a failed episode. The conversation is read from the run log and the prompt is
 * made here, so that neither enters a history; what comes back is a letter's meaning, a description and quotes.
 */

import { ApplicationFailure } from '@temporalio/activity';
import { ANSWER_FIELDS, judgePrompt, readAnswer } from '../src/analysis/index.ts';
import { withCapFlag, type AdaptiveLimits, type CallModel, type PriceCall } from '../src/models/index.ts';
import { readReplyFields } from '../src/prompts/index.ts';
import type { Failure, Failures } from '../src/results/judge/index.ts';
import {
  DEFAULT_REPLY_LIMITS,
  FailureType,
  episodeName,
  findExcess,
  type FailedEpisode,
  type JudgeInput,
  type JudgeOutput,
  type JudgedSource,
} from '../src/wire/index.ts';
import { askingModel, idempotencyKey, priced } from './model-call.ts';

export interface JudgeDeps {
  readonly callModel: CallModel;
  /** Those that `callModel` goes through. @default none */
  readonly limits?: AdaptiveLimits;
  readonly priceCall: PriceCall;
  readonly random?: () => number;
}

export type OpenFailures = (source: JudgedSource) => Promise<Failures>;

export function createJudgeActivity(
  deps: JudgeDeps,
  openFailures: OpenFailures,
): (input: JudgeInput) => Promise<JudgeOutput> {
  return async function judge({ source, episode, judge: settings, question, attempt }) {
    const { model, maxRetries } = settings;
    const { limits, random } = deps;
    return askingModel({ maxRetries, provider: model.provider, limits, random }, async (call) => {
      const { episode: shown } = await failureNamed(await openFailures(source), episode);
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
        throw withCapFlag(error, '--max-completion-tokens');
      });
      const { message, usage, costUsd, servedModel, finishReason, latencyMs } = priced(deps.priceCall, settings, reply);
      const isTooLong = findExcess(message, DEFAULT_REPLY_LIMITS) !== undefined;
      const fields = isTooLong ? null : readReplyFields(message.content, ANSWER_FIELDS);
      const answer = readAnswer(question, fields, shown.lines);
      return { answer, calls: 1, ...usage, costUsd, servedModel, finishReason, latencyMs };
    });
  };
}

/** @throws ApplicationFailure, not retryable: the episode has run again meanwhile, or its record was taken away */
export async function failureNamed(failures: Failures, episode: FailedEpisode): Promise<Failure> {
  const failure = await failures.find(episode);
  if (failure !== null) return failure;
  const message = `${episodeName(episode)} has no record of a failure any more`;
  throw ApplicationFailure.nonRetryable(message, FailureType.EpisodeGone);
}
