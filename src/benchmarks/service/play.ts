/** Plays given calls on an environment service without agent, user and model, for checks and tests. */

import { undecidedSentences } from '../grade.ts';
import type {
  EnvironmentService,
  ServiceCall,
  ServiceDomain,
  ServiceGrade,
  ServiceObservation,
  ServiceStart,
} from './port.ts';

export interface PlayedCalls {
  readonly start: ServiceStart;
  readonly observations: readonly ServiceObservation[];
  readonly grade: ServiceGrade;
}

/**
 * @param episode a unique name
 * @param says texts of the agent at the end; with calls or texts, the judge is assumed to agree with all sentences
 */
export async function playCalls(
  service: EnvironmentService,
  { domain, options }: ServiceDomain,
  { episode, task, calls, says }: PlayScript,
): Promise<PlayedCalls> {
  const of = { domain, options, episode, task };
  const start = await service.start(of);
  const life = start.life;
  const changes: ServiceCall[] = [];
  const observations: ServiceObservation[] = [];
  const messages: object[] = [{ role: 'user', content: start.firstMessage ?? start.scenario ?? '' }];
  for (const [at, call] of calls.entries()) {
    const idempotencyKey = `${episode}/${at}`;
    const observed = await service.call({ ...of, calls: [...changes], call, idempotencyKey, life });
    observations.push(observed);
    if (observed.changed) changes.push(call);
    const id = `call_${at}`;
    const isUsers = call.requestor === 'user';
    const made = { id, type: 'function', function: { name: call.name, arguments: call.arguments } };
    messages.push(
      { role: isUsers ? 'user' : 'assistant', content: null, tool_calls: [made] },
      { role: 'tool', tool_call_id: id, content: observed.observation, ...(isUsers ? { requestor: 'user' } : {}) },
    );
    if (observed.done) break;
  }
  if (says.length > 0) messages.push({ role: 'assistant', content: says.join('\n') });
  const request = {
    ...of,
    calls: changes,
    messages: messages as Record<string, unknown>[],
    endedBy: 'user_stop',
    life,
  };
  const grade = await service.grade(request);
  const isMet = calls.length + says.length > 0;
  const verdicts = undecidedSentences(grade).map((assertion) => ({ assertion, met: isMet, reason: 'a check' }));
  return { start, observations, grade: verdicts.length === 0 ? grade : await service.grade({ ...request, verdicts }) };
}

interface PlayScript {
  readonly episode: string;
  readonly task: string;
  readonly calls: readonly ServiceCall[];
  readonly says: readonly string[];
}
