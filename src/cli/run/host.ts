/** Puts up what a sweep needs (server, workers, scripted model), starts or attaches to it, and takes all down again. */

import { providersOf, type EpisodeKey } from '../../wire/index.ts';
import type { CliContext } from '../context.ts';
import { withHost } from '../../host/host.ts';
import type { ScriptedOptions } from '../../host/index.ts';
import type { Report } from '../../results/report/index.ts';
import type { RunLog } from '../../results/log/index.ts';
import { ExitCode, UnreachableError, firstLine } from '../../errors/index.ts';
import { ServerError } from '../../temporal/codec/errors.ts';
import { isConnectionLost } from '../context.ts';
import { onInterrupt } from '../interrupt.ts';
import { announceRun, resumeCommand } from './announce.ts';
import type { Asked } from './attach.ts';
import type { ClaimedLog } from './claim.ts';
import { hasWorker, type RunOptions } from './options.ts';
import type { RunRequest } from './request.ts';

export interface Hosted {
  readonly request: RunRequest;
  readonly options: RunOptions;
  readonly claim: ClaimedLog;
  /** The scripted model that this process serves; null when the run needs none. */
  readonly scripted: ScriptedOptions | null;
  readonly asked: Asked;
  /** The only episodes to run; null: whatever is not done. */
  readonly only: readonly EpisodeKey[] | null;
}

/** End of the command's part in a sweep; a sweep that has ended itself has a report. */
export type HostedEnd =
  | { readonly kind: 'detached' | 'interrupted' }
  | { readonly kind: 'ended' | 'cancelled'; readonly report: Report; readonly log: RunLog };

/** Everything that fails before the sweep has started leaves no trace; everything after it says how to resume. */
export async function hostSweep(hosted: Hosted, context: CliContext): Promise<HostedEnd> {
  const { request, options, claim } = hosted;
  announceRun(request, context);
  const undo = onInterrupt(() => {
    context.log('interrupted before the sweep was started; nothing has been run');
    void claim.giveBack().finally(() => process.exit(ExitCode.Interrupted));
  });
  let leaving: Leaving | null = null;
  const workers = hasWorker(options) ? ({ logLevel: 'ERROR', providers: providersOf(request.config) } as const) : null;
  // What works on a sweep needs the SDK, which is loaded while a local server comes up.
  const load = () => import('./hosted.ts');
  try {
    return await withHost(context, { workers, load }, async (host) => {
      const { startHosted, stay } = await import('./hosted.ts');
      const started = await startHosted(host, hosted, context);
      leaving = new Leaving(context);
      undo();
      return stay({ ...started, hosted, temporal: host.temporal, leaving: leaving.asked }, context);
    });
  } catch (error) {
    if (leaving !== null) throw withResumeCommand(error, hosted);
    await claim.giveBack();
    throw error;
  } finally {
    undo();
    (leaving as Leaving | null)?.end();
  }
}

/** Handles Ctrl-C from the sweep's start on, without a gap. */
class Leaving {
  /** Resolves when the person wants to leave. */
  readonly asked: Promise<void>;
  readonly end: () => void;

  constructor(context: CliContext) {
    let ask = () => {};
    this.asked = new Promise((resolve) => {
      ask = resolve;
    });
    this.end = onInterrupt(() => {
      context.log('interrupted: what is under way is being finished; interrupt again to leave at once');
      ask();
    });
  }
}

function withResumeCommand(error: unknown, { request, options }: Hosted): unknown {
  const isKnown = error instanceof UnreachableError || error instanceof ServerError;
  if (!isKnown && !isConnectionLost(error)) return error;
  const message = isKnown ? firstLine(error) : 'the Temporal server does not answer any more';
  return new UnreachableError(
    `${message.replace(/\.?$/, '')}; nothing is lost, resume with: ${resumeCommand(request.run.runId, options)}`,
    { cause: error },
  );
}
