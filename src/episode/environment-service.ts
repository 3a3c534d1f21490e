/**
 * Requests of an episode to its environment service. If the service is away, a request is held until the sweep releases
 * it, like a model call. Other packs need no such requests.
 */

import type { SentenceVerdict } from '../benchmarks/index.ts';
import { ENVIRONMENT_SERVICE, type Outcome } from '../evaluation/index.ts';
import type { EpisodeContext } from './context.ts';
import type { ServiceGradeInput, StartOutput } from './environment.ts';
import type { TakeStep } from './episode-environment.ts';
import { holdableCall } from './model-calls.ts';
import type { EpisodeSession } from './session.ts';

/**
 * Makes a request, and repeats it whenever the sweep releases it.
 * @param make makes the request, with a number of retries for its activity
 */
function ask<T>(context: EpisodeContext, call: string, make: (maxRetries: number) => Promise<T>): Promise<T> {
  return holdableCall(context, { call, provider: ENVIRONMENT_SERVICE }, (held) =>
    make(held === undefined ? context.input.config.maxRetries : 0),
  );
}

/** Returns the function that takes the episode's steps. */
export function stepTaker(context: EpisodeContext): TakeStep {
  const { input, ports } = context;
  if (input.config.pack.environment === undefined) return (summary, step) => ports.activities.step(summary, step);
  let calls = 0;
  return (summary, step) => {
    calls += 1;
    return ask(context, `call ${calls} of the environment`, (maxRetries) =>
      ports.activities.step(summary, { ...step, maxRetries }),
    );
  };
}

/** Begins the episode on its environment service. */
export function startEnvironment(context: EpisodeContext): Promise<StartOutput> {
  const { config, episode } = context.input;
  const { pack, split } = config;
  const task = { split, taskId: episode.taskId };
  return ask(context, 'start of the environment', (maxRetries) =>
    context.ports.activities.start(`start task ${episode.taskId}`, { pack, task, maxRetries }),
  );
}

/** Adds the input that an environment service needs for grading; nothing for other packs. */
export function withService<T>(
  context: EpisodeContext,
  { session, outcome }: { readonly session: EpisodeSession | null; readonly outcome: Outcome },
  verdicts: readonly SentenceVerdict[] | undefined,
  grade: (service: { readonly service?: ServiceGradeInput }) => Promise<T>,
): Promise<T> {
  if (context.input.config.pack.environment === undefined) return grade({});
  const { writes = [], life } = session ?? {};
  return ask(context, 'grade of the environment', (maxRetries) =>
    grade({ service: { writes, life, maxRetries, endedBy: outcome.kind, verdicts } }),
  );
}
