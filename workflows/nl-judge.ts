/**
 * Puts the sentences of a τ³-bench task (NL_ASSERTION) to the run's judge, once the conversation has ended and was graded
 * without them. The judge's answer is in the episode's history: it is asked once.
 */

import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import { AgentError, type Message } from '../src/agents/index.ts';
import type { RewardInfo } from '../src/benchmark/index.ts';
import {
  episodeMessages,
  nlJudgePrompt,
  readNlVerdicts,
  withVerdicts,
  type NlVerdict,
} from '../src/benchmark/tau3/index.ts';
import type { ModelCall } from './model-calls.ts';

/** Attempts until an answer can be read. */
const MAX_ATTEMPTS = 3;

/**
 * @param info a grade whose `tau3` has unjudged sentences
 * @returns the grade with the judge's verdicts; or as it was, with the reason why there are none
 * @throws CancelledFailure
 */
export async function judgeSentences(
  ask: ModelCall,
  trajectory: readonly Message[],
  info: RewardInfo,
): Promise<RewardInfo> {
  const { checks = null, unjudged = [] } = info.tau3 ?? {};
  const decided = await askForVerdicts(ask, trajectory, unjudged);
  if ('verdicts' in decided) return withVerdicts(info, decided.verdicts);
  return { ...info, tau3: { checks, unjudged, judgeProblem: decided.problem } };
}

type Decided = { readonly verdicts: readonly NlVerdict[] } | { readonly problem: string };

async function askForVerdicts(
  ask: ModelCall,
  trajectory: readonly Message[],
  sentences: readonly string[],
): Promise<Decided> {
  const { system, user } = nlJudgePrompt(episodeMessages(trajectory), sentences);
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { message } = await ask({ role: 'judge', thread: 'judge', messages, summary: 'judge the sentences' });
      const verdicts = readNlVerdicts(message.content, sentences);
      if (verdicts !== null) return { verdicts };
    }
    return { problem: `the judge did not decide on every sentence in ${MAX_ATTEMPTS} answers` };
  } catch (error) {
    if (isCancellation(error)) throw error;
    if (error instanceof AgentError) return { problem: `${error.kind}: ${error.message}` };
    if (error instanceof ActivityFailure) return { problem: error.cause?.message ?? error.message };
    throw error;
  }
}
