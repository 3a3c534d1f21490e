/** `start`, `step` and `grade` of a pack whose environment is a service. */

import { ApplicationFailure, Context } from '@temporalio/activity';
import { isAgentFirst, isUsersCall, type Grade, type Task } from '../src/benchmarks/index.ts';
import {
  EnvironmentServiceError,
  type Pack,
  type PackEnvironment,
  type ServiceFault,
} from '../src/benchmarks/packs/index.ts';
import type { Message, PromptContent } from '../src/agents/index.ts';
import { FailureType } from '../src/evaluation/index.ts';
import type { ActionWire, ServiceGradeInput, StartOutput, StepInput, StepOutput } from '../src/episode/index.ts';

const FAILURES: Readonly<Record<ServiceFault, FailureType>> = {
  outage: FailureType.EnvironmentUnavailable,
  refused: FailureType.EnvironmentRefused,
  invalid: FailureType.EnvironmentInvalid,
  contradiction: FailureType.EnvironmentDiverged,
  lost: FailureType.EnvironmentLost,
};

/** Delays before a service that is away is asked again. @unit milliseconds */
const RETRY_MS = { first: 500, last: 30_000 } as const;
/** Longest words that open a conversation: they are in the history of each episode. */
const MOST_OPENING_CHARS = 200_000;

/**
 * Asks an environment service.
 * @throws ApplicationFailure that says whether, and when, to ask again
 */
async function ask<T>(maxRetries: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { cancellationSignal: signal, cancelled } = Context.current();
  try {
    return await work(signal);
  } catch (error) {
    // Rejects with the failure that has the reason for Temporal.
    if (signal.aborted) await cancelled;
    throw error instanceof EnvironmentServiceError ? toFailure(error, maxRetries) : error;
  }
}

function toFailure({ fault, message, retryAfterMs }: EnvironmentServiceError, maxRetries: number): ApplicationFailure {
  const { attempt } = Context.current().info;
  return ApplicationFailure.create({
    type: FAILURES[fault],
    message,
    nonRetryable: fault !== 'outage' || attempt > maxRetries,
    nextRetryDelay: retryAfterMs ?? Math.min(RETRY_MS.first * 2 ** (attempt - 1), RETRY_MS.last),
    // The sweep shows it.
    category: 'BENIGN',
    details: [{ apiFailures: attempt }],
  });
}

/** Names the episode, and this request of it, to the service. */
function names(): { readonly episode: string; readonly key: string } {
  const { workflowExecution, activityId } = Context.current().info;
  const episode = `${workflowExecution?.workflowId ?? ''}/${workflowExecution?.runId ?? ''}`;
  return { episode, key: `${episode}/${activityId}` };
}

function toCall({ name, kwargsJson, requestor }: ActionWire) {
  return { requestor: requestor ?? ('assistant' as const), name, arguments: kwargsJson };
}

function environmentOf({ environment, ref }: Pack): PackEnvironment {
  if (environment !== undefined) return environment;
  throw ApplicationFailure.nonRetryable(`pack ${ref.name} is of no environment service`, FailureType.BadRequest);
}

export async function startService(pack: Pack, task: Task, maxRetries = 0): Promise<StartOutput> {
  const { service, domain, taskPack } = environmentOf(pack);
  const { firstMessage = pack.ref.environment?.rules === 'solo' ? task.instruction : undefined, life } = await ask(
    maxRetries,
    async (signal) =>
      service.description.replays
        ? (await taskPack(task)).start
        : service.start({ ...domain, episode: names().episode, task: task.name ?? '' }, signal),
  );
  if ((firstMessage?.length ?? 0) > MOST_OPENING_CHARS) {
    const message = `the first message of task ${task.name} has more than ${MOST_OPENING_CHARS} characters`;
    throw ApplicationFailure.nonRetryable(message, FailureType.EnvironmentInvalid);
  }
  return { firstMessage, life };
}

export async function stepService(
  { service, domain }: PackEnvironment,
  task: Task,
  { writes, action, life, maxRetries = 0 }: StepInput,
): Promise<StepOutput> {
  const { episode, key } = names();
  const { observation, done, changed, error } = await ask(maxRetries, (signal) =>
    service.call(
      {
        ...domain,
        ...{ episode, task: task.name ?? '', life },
        calls: writes.map(toCall),
        call: toCall(action),
        idempotencyKey: key,
      },
      signal,
    ),
  );
  return { observation, source: action.name, done, changed, failed: error || undefined };
}

/** @param messages with the actions as tool calls */
export async function gradeService(
  { ref, ...hosted }: Pack,
  task: Task,
  messages: readonly Message[],
  { writes, endedBy, verdicts, life, maxRetries = 0 }: ServiceGradeInput,
): Promise<Grade> {
  const { service, domain, taskPack } = environmentOf({ ref, ...hosted });
  return ask(maxRetries, async (signal) => {
    const { pack } = await taskPack(task);
    const greeting = { role: 'assistant', content: pack.userPrompts.greeting } as const;
    const asked = {
      ...domain,
      ...{ episode: names().episode, task: task.name ?? '', life, endedBy, verdicts },
      calls: writes.map(toCall),
      messages: [
        ...(isAgentFirst(ref.environment?.rules) ? [greeting] : []),
        ...messages.filter(({ role }) => role !== 'system').map(toSpoken),
      ],
    };
    return service.grade(asked, signal);
  });
}

/** A message in OpenAI's form, with who has called. */
function toSpoken(message: Message): Readonly<Record<string, unknown>> {
  if (message.role !== 'user') return { ...message };
  const words = { ...message, content: spokenText(message.content) };
  return isUsersCall(message) ? { ...words, requestor: 'user' } : words;
}

function spokenText(content: PromptContent): string {
  return typeof content === 'string' ? content : content.filter((part) => typeof part === 'string').join('');
}
