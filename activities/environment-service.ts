/** The activities `start`, `step` and `grade` for packs whose environment is a service. */

import { ApplicationFailure, Context } from '@temporalio/activity';
import { REQUEST_TIMEOUT_S, isAgentFirst, isUsersCall, type Grade, type Task } from '../src/benchmarks/index.ts';
import {
  EnvironmentServiceError,
  type Pack,
  type PackEnvironment,
  type PackRef,
  type ServiceFault,
} from '../src/benchmarks/packs/index.ts';
import type { Message, PromptContent } from '../src/agents/index.ts';
import { FailureType } from '../src/evaluation/index.ts';
import type { ActionWire, ServiceGradeInput, StartOutput, StepInput, StepOutput } from '../src/episode/index.ts';
import { toExecutionKey } from './call-results.ts';

const FAILURES: Readonly<Record<Exclude<ServiceFault, 'outage'>, FailureType>> = {
  refused: FailureType.EnvironmentRefused,
  invalid: FailureType.EnvironmentInvalid,
  contradiction: FailureType.EnvironmentDiverged,
  lost: FailureType.EnvironmentLost,
};

/** Longest message that opens a conversation, in characters; it is in the history of each episode. */
const MOST_OPENING_CHARS = 200_000;

/** Makes a request within its time limit, and converts errors of the service to failures for Temporal. */
async function ask<T>({ environment }: PackRef, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { cancellationSignal: signal, cancelled } = Context.current();
  const { name, requestTimeout: seconds = REQUEST_TIMEOUT_S } = environment ?? { name: '' };
  const clock = AbortSignal.timeout(seconds * 1_000);
  try {
    const timedOut = new Promise<never>((_, reject) => {
      clock.addEventListener('abort', () => reject(clock.reason as Error));
    });
    return await Promise.race([work(AbortSignal.any([signal, clock])), timedOut]);
  } catch (error) {
    // Rejects with the failure that has the reason for Temporal.
    if (signal.aborted) await cancelled;
    if (error === clock.reason) {
      throw new EnvironmentServiceError('outage', `the environment ${name} did not answer within ${seconds} s`);
    }
    if (!(error instanceof EnvironmentServiceError) || error.fault === 'outage') throw error;
    throw ApplicationFailure.create({
      type: FAILURES[error.fault],
      message: error.message,
      nonRetryable: true,
      // The sweep shows it.
      category: 'BENIGN',
    });
  }
}

/** Returns the names of the episode (`workflowId/runId`) and of this request for the service. */
function names(): { readonly episode: string; readonly key: string } {
  const { info } = Context.current();
  const episode = toExecutionKey(info);
  return { episode, key: `${episode}/${info.activityId}` };
}

function toCall({ name, kwargsJson, requestor }: ActionWire) {
  return { requestor: requestor ?? ('assistant' as const), name, arguments: kwargsJson };
}

function environmentOf({ environment, ref }: Pack): PackEnvironment {
  if (environment !== undefined) return environment;
  throw ApplicationFailure.nonRetryable(`pack ${ref.name} is of no environment service`, FailureType.BadRequest);
}

export async function startService(pack: Pack, task: Task): Promise<StartOutput> {
  const { service, domain, taskPack } = environmentOf(pack);
  const { firstMessage = pack.ref.environment?.rules === 'solo' ? task.instruction : undefined, life } = await ask(
    pack.ref,
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
  { pack: ref, writes, action, life }: StepInput,
): Promise<StepOutput> {
  const { episode, key } = names();
  const { observation, done, changed, error } = await ask(ref, (signal) =>
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

/** @param messages the conversation, with the actions as tool calls */
export async function gradeService(
  { ref, ...hosted }: Pack,
  task: Task,
  messages: readonly Message[],
  { writes, endedBy, verdicts, life }: ServiceGradeInput,
): Promise<Grade> {
  const { service, domain, taskPack } = environmentOf({ ref, ...hosted });
  return ask(ref, async (signal) => {
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

/** Converts a message to OpenAI's form, with the caller's role. */
function toSpoken(message: Message): Readonly<Record<string, unknown>> {
  if (message.role !== 'user') return { ...message };
  const words = { ...message, content: spokenText(message.content) };
  return isUsersCall(message) ? { ...words, requestor: 'user' } : words;
}

function spokenText(content: PromptContent): string {
  return typeof content === 'string' ? content : content.filter((part) => typeof part === 'string').join('');
}
