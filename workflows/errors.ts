/**
 * A judge's look at the failed episodes of a run: who is at fault, and of the agent which fault. A window of episodes is
 * open at once; each verdict is written as soon as it is given, and the run log says which are there, so that the judge
 * goes on where it was, whoever stopped it.
 */

import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  sleep,
  TemporalFailure,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import {
  DEFAULT_OUTAGE_TIMEOUT_MS,
  FailureType,
  fairnessKey,
  hasVersion,
  isTransient,
  refuseNewer,
  type JudgeRunInput,
  type JudgeResult,
  type FailedEpisode,
} from '../src/wire/index.ts';
import { completesOf, verdictLog } from './activities.ts';
import { ErrorsBooks } from './errors-books.ts';
import { judgeEpisode, type Asked } from './errors-episode.ts';
import { errorsProgress } from './messages.ts';
import { costAttribute } from './search-attributes.ts';

/** Episodes in one page: some 1,800 events, so that a history never grows far beyond the server's suggestion. */
const PAGE = 100;

export async function errors(input: JudgeRunInput): Promise<JudgeResult> {
  refuseNewer(input);
  const books = new ErrorsBooks(input);
  setHandler(errorsProgress, () => books.progress());
  try {
    const next = await judgePages(input, books);
    if (next !== null) return await continueAsNew<typeof errors>({ ...input, state: { next, totals: books.totals } });
  } catch (error) {
    // Anything else is a bug: the workflow task fails, and goes on when the bug is mended.
    if (error instanceof TemporalFailure) await CancellationScope.nonCancellable(() => close(input, books));
    throw error;
  }
  await close(input, books);
  if (books.halted !== null) {
    throw ApplicationFailure.nonRetryable(`no further episode is judged: ${books.halted}`, FailureType.JudgeHalted);
  }
  return { ...books.totals, status: books.isBudgetReached() ? 'budget_reached' : 'completed' };
}

/** @returns where another run of this workflow goes on; null when all is done */
async function judgePages(input: JudgeRunInput, books: ErrorsBooks): Promise<number | null> {
  const { source, judge, maxFailures, tuning } = input;
  for (let from = input.state?.next ?? 0; ;) {
    const most = maxFailures === null ? null : maxFailures - books.totals.seen;
    const page = await verdictLog.findFailures.executeWithOptions(
      { summary: 'which failed episodes have no verdict' },
      [{ source, judge, from, most, page: tuning?.page ?? PAGE }],
    );
    books.keep(page.kept);
    await judgePage(input, page.episodes, books);
    if (page.next === null || books.isOver()) return null;
    if (workflowInfo().continueAsNewSuggested || tuning?.page !== undefined) return page.next;
    from = page.next;
  }
}

/** @throws CancelledFailure, when what is under way has ended */
async function judgePage(input: JudgeRunInput, episodes: readonly FailedEpisode[], books: ErrorsBooks): Promise<void> {
  const { source, judge, queues } = input;
  const { judge: ask } = completesOf(queues, judge.model.provider, judge);
  const priority = { fairnessKey: fairnessKey(workflowInfo().workflowId) };
  const asked: Asked = {
    judge: async (request, summary) => {
      const output = await ask.executeWithOptions({ summary, priority }, [{ source, judge, ...request }]);
      books.answered();
      return output;
    },
    waitForProvider: providerWait(input, books),
    record: (verdict, summary) =>
      verdictLog.recordVerdict.executeWithOptions({ summary }, [{ source, judge, ...verdict }]),
  };
  const running: Promise<void>[] = [];
  try {
    for (const episode of episodes) {
      await condition(() => books.open < input.maxConcurrency);
      if (books.isOver()) break;
      books.open += 1;
      running.push(
        judgeEpisode(episode, asked)
          .then((verdict) => books.enter(verdict))
          .finally(() => {
            books.open -= 1;
            setCurrentDetails(books.details());
          }),
      );
    }
  } finally {
    await Promise.allSettled(running);
  }
  await Promise.all(running);
}

/** Failures of one call before the fault is taken for the call's own, if its provider answers others. */
const OWN_FAILURES = 8;
const HOLD_MS = { first: 5_000, last: 300_000 } as const;

/** Retries a call at growing intervals after its own retries; it keeps its place in the window meanwhile. */
function providerWait(input: JudgeRunInput, books: ErrorsBooks): Asked['waitForProvider'] {
  const { first, last } = input.tuning?.holdMs ?? HOLD_MS;
  const boundMs = input.judge.outageTimeoutMs ?? DEFAULT_OUTAGE_TIMEOUT_MS;
  return async (failure, failedAt) => {
    if (!hasVersion(input, 4) || !isTransient(failure.type)) return false;
    const waitMs = Math.min(first * 2 ** (failedAt.length - 1), last);
    const [since = 0] = failedAt;
    const isOwn = books.isOwn(failedAt) && failure.type !== FailureType.RateLimited;
    if (isOwn && failedAt.length >= OWN_FAILURES) return false;
    if (Date.now() - since + waitMs > boundMs) return false;
    await books.hold(failure, sleep(waitMs));
    return true;
  };
}

async function close({ source, indexed }: JudgeRunInput, books: ErrorsBooks): Promise<void> {
  await verdictLog.closeErrors.executeWithOptions({ summary: 'put the verdicts together' }, [{ source }]);
  setCurrentDetails(books.details());
  if (indexed) upsertSearchAttributes([costAttribute(books.totals.costUsd)]);
}
