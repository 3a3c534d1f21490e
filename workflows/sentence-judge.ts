/**
 * Puts the sentences of a task that need a judge to the run's judge, once the conversation has ended and was graded
 * without them. The judge's answer is in the episode's history: it is asked once.
 */

import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import { AgentError, type Message } from '../src/agents/index.ts';
import {
  undecidedSentences,
  withJudgeProblem,
  withVerdicts,
  type Grade,
  type SentenceJudging,
  type SentenceVerdict,
} from '../src/benchmarks/index.ts';
import type { ModelCall } from '../src/episode/index.ts';

/** Attempts until an answer can be read. */
const MAX_ATTEMPTS = 3;

/**
 * @param grade with undecided sentences
 * @returns the grade with the judge's verdicts; or as it was, with the reason why there are none
 * @throws CancelledFailure
 */
export async function judgeSentences(
  judging: SentenceJudging,
  ask: ModelCall,
  trajectory: readonly Message[],
  grade: Grade,
): Promise<Grade> {
  const decided = await askForVerdicts(judging, ask, trajectory, undecidedSentences(grade));
  if ('verdicts' in decided) return withVerdicts(grade, decided.verdicts);
  return withJudgeProblem(grade, decided.problem);
}

type Decided = { readonly verdicts: readonly SentenceVerdict[] } | { readonly problem: string };

async function askForVerdicts(
  judging: SentenceJudging,
  ask: ModelCall,
  trajectory: readonly Message[],
  sentences: readonly string[],
): Promise<Decided> {
  const { system, user } = judging.prompt(trajectory, sentences);
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { message } = await ask({ role: 'judge', thread: 'judge', messages, summary: 'judge the sentences' });
      const verdicts = judging.readReply(message.content, sentences);
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
