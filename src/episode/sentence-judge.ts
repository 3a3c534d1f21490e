/**
 * Sends the task's sentences to the run's judge, after the conversation has ended and was graded without them. The
 * answer is in the episode's history, so there is only one request.
 */

import { AgentError, asToolCalls, findStrategy, type Message } from '../agents/index.ts';
import {
  getBenchmark,
  undecidedSentences,
  withJudgeProblem,
  withVerdicts,
  type Grade,
  type SentenceJudging,
  type SentenceVerdict,
} from '../benchmarks/pure.ts';
import { restoreConversation } from '../conditions/index.ts';
import { askForGrade, findAltered, type GradedEpisode } from './conclude.ts';
import type { EpisodeContext } from './context.ts';
import { modelCalls } from './model-calls.ts';
import type { EpisodeSession } from './session.ts';

/** Most attempts until an answer can be read. */
const MAX_ATTEMPTS = 3;

/** Returns a grade with the verdicts of the run's judge, if it has one and the task has sentences. */
export async function judgeGrade(
  context: EpisodeContext,
  session: EpisodeSession | null,
  graded: GradedEpisode,
): Promise<GradedEpisode> {
  const { config } = context.input;
  const { grade } = graded;
  const { judging, fromInfo, toInfo } = getBenchmark(config.env).grading;
  if (session === null || !config.judgeModel || judging === undefined || grade?.kind !== 'graded') return graded;
  const undecided = fromInfo(grade.info);
  if (undecidedSentences(undecided).length === 0) return graded;
  const form = findStrategy(config.strategy, config.strategyOptions.agentFile)?.form;
  try {
    const ended = { session, outcome: graded.outcome };
    const regrade = async (verdicts: readonly SentenceVerdict[]): Promise<Grade> => {
      if (config.pack.environment === undefined) return withVerdicts(undecided, verdicts);
      const again = await askForGrade(context, ended, verdicts);
      // The service decides on the reward; the judge gives the reasons.
      const { parts } = withVerdicts(undecided, verdicts);
      return again.kind === 'graded' ? { ...fromInfo(again.info), parts } : undecided;
    };
    const altered = findAltered(context.input, session);
    const conversation =
      altered === undefined ? session.trajectory : restoreConversation(session.trajectory, form, altered);
    const decided = await judgeSentences(context, judging, asToolCalls(conversation, form), undecided, regrade);
    return { ...graded, reward: decided.reward, grade: { kind: 'graded', info: toInfo(decided) } };
  } catch (error) {
    if (context.ports.readFailure(error)?.kind !== 'canceled') throw error;
    return { ...graded, outcome: { kind: 'cancelled' }, reward: 0, grade: null };
  }
}

/** @returns the grade with the judge's verdicts; without them, the unchanged grade with the reason */
async function judgeSentences(
  context: EpisodeContext,
  judging: SentenceJudging,
  trajectory: readonly Message[],
  grade: Grade,
  decide: (verdicts: readonly SentenceVerdict[]) => Promise<Grade>,
): Promise<Grade> {
  const ask = modelCalls(context);
  const sentences = undecidedSentences(grade);
  const { system, user } = judging.prompt(trajectory, sentences);
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ];
  try {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const { message } = await ask({ role: 'judge', thread: 'judge', messages, summary: 'judge the sentences' });
      const verdicts = judging.readReply(message.content, sentences);
      if (verdicts !== null) return await decide(verdicts);
    }
    return withJudgeProblem(grade, `the judge did not decide on every sentence in ${MAX_ATTEMPTS} answers`);
  } catch (error) {
    if (error instanceof AgentError) return withJudgeProblem(grade, `${error.kind}: ${error.message}`);
    const failure = context.ports.readFailure(error);
    if (failure === undefined || failure.kind === 'canceled') throw error;
    return withJudgeProblem(grade, failure.message);
  }
}
