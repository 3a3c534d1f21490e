/** Replies of a model to each of FastWorkflow's prompts. */

import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { marker } from '../../../src/agents/fastworkflow/testing.ts';

function fields(values: Readonly<Record<string, string>>): string {
  const blocks = Object.entries(values).map(([field, value]) => `${marker(field)}\n${value}`);
  return [...blocks, marker('completed')].join('\n\n');
}

export const planReply = (steps = '1. Look it up.\n2. Tell the customer.') =>
  fields({ reasoning: 'Because.', next_steps: steps });
export const toolReply = (tool: string, args: object = {}, thought = 'Go on.') =>
  fields({ next_thought: thought, next_tool_name: tool, next_tool_args: dumpJson(args) });
export const commandReply = (command: string) => toolReply('execute_workflow_query', { command });
export const askReply = (question: string) => toolReply('ask_user', { clarification_request: question });
export const finishReply = () => toolReply('finish');
export const answerReply = (answer = 'All done.') => fields({ reasoning: 'Because.', final_answer: answer });
export const summaryReply = (summary = 'The order was cancelled.') =>
  fields({ reasoning: 'Because.', conversation_summary: summary });
export const clarifyReply = ({ command = '', needsHuman = 'false', question = '' }) =>
  fields({
    reasoning: 'Because.',
    clarified_command: command,
    needs_human: needsHuman,
    clarification_question: question,
  });
