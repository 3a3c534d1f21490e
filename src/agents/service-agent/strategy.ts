/**
 * The agent strategy of services. The service decides on actions; this strategy leads the conversation. Tool calls come
 * during a request or in its answer.
 */

import { RESPOND, type Action, type StepResult } from '../../benchmarks/pure.ts';
import { dumpJson } from '../../benchmarks/python/index.ts';
import { AgentError, type AgentSession, type SolveEnd, type StrategyDefinition } from '../port.ts';
import { transcribeStep } from '../step-events.ts';
import { actionOfReply, observationMessage } from '../tool-calling.ts';
import { SERVICE_OPTIONS } from './options.ts';
import { RESPOND_TO_USER, type AgentToolCall } from './port.ts';

export const serviceStrategy: StrategyDefinition = {
  name: 'agent-service',
  label: 'service',
  solve: converse,
  options: SERVICE_OPTIONS,
  // The agent decides by itself.
  temperature: null,
  notes: ['The agent is a service: its code, prompts and settings are its own.'],
};

async function converse(session: AgentSession): Promise<SolveEnd> {
  const { service, trajectory } = session;
  if (service === undefined) throw new Error('the agent strategy agent-service needs a session with a service');
  trajectory.push({ role: 'user', content: session.firstMessage });
  let isDone = false;
  let calls = 0;
  const take = async (action: Action, id?: string): Promise<StepResult> => {
    calls += 1;
    const result = await takeStep(session, action, id ?? `call_${calls}`);
    isDone = result.done;
    return result;
  };
  for (let turn = 1, fresh = 1; session.stepsLeft() > 0;) {
    const answer = await service.ask({ turn, fresh }, { take });
    fresh = 1;
    switch (answer.kind) {
      case 'message':
        await take({ name: RESPOND, kwargs: new Map([['content', answer.content]]) });
        turn += 1;
        break;
      case 'tool_calls': {
        const before = trajectory.length;
        for (const call of answer.calls) {
          if (isDone || session.stepsLeft() === 0) break;
          await take(toolAction(call), call.id);
        }
        fresh = trajectory.length - before;
        break;
      }
      case 'end':
        return 'agent_stop';
      case 'over':
        break;
    }
    if (isDone) return 'done';
  }
  return 'max_steps';
}

/**
 * Returns the action of an agent's tool call. An agent without turns of its own speaks to the user by
 * `respond_to_user`.
 * @throws AgentError for arguments that are not a JSON object, and for `respond`, which is not a tool
 */
export function toolAction({ id, name, argumentsJson }: AgentToolCall): Action {
  if (name === RESPOND) {
    throw new AgentError(
      'invalid_action',
      'respond is no tool: the agent speaks to the user in its answer, as {"message"}',
    );
  }
  const action = actionOfReply({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: argumentsJson } }],
  });
  if (name !== RESPOND_TO_USER) return action;
  const content = action.kwargs.get('content');
  if (typeof content !== 'string') throw new AgentError('invalid_action', `${RESPOND_TO_USER} needs "content", a text`);
  return { name: RESPOND, kwargs: new Map([['content', content]]) };
}

/** Takes a step, and adds it to the trajectory in the form of a model's reply and its result. */
async function takeStep(session: AgentSession, action: Action, id: string): Promise<StepResult> {
  const { name, kwargs } = action;
  const content = kwargs.get('content');
  const message =
    name === RESPOND && typeof content === 'string'
      ? ({ role: 'assistant', content } as const)
      : ({
          role: 'assistant',
          content: null,
          tool_calls: [{ id, type: 'function', function: { name, arguments: dumpJson(kwargs) } }],
        } as const);
  session.trajectory.push(message);
  const result = await transcribeStep(session, action, () => session.step(action));
  session.trajectory.push(observationMessage(message, result.observation));
  return result;
}
