/**
 * The simulated customer: opens with the case code, consents to what is asked, stops when the agent has finished; in a
 * share of the episodes carelessly, where the model's name asks for it.
 */

import { carelessnessOf, carelessOpening, carelessReply } from '../careless.ts';
import { formatCaseCode, findCaseCode } from '../case-code.ts';
import { countTurns, firstText, lastText, type Conversation } from '../conversation.ts';
import { customerReply, openingLine, PHRASES } from '../phrases.ts';
import { RequestProblem, type ScriptedReply } from '../reply.ts';
import type { TaskIndex, UserPrompt } from '../task-index.ts';

/** Numbers the trials of a task whose requests bring no seed. */
export type TrialCounter = (taskKey: string) => number;

/**
 * @param prompt what the index read in the system prompt; undefined is returned when that asks for no customer
 * @param careless share of the episodes in which the customer misbehaves
 */
export function playUser(
  conversation: Conversation,
  prompt: UserPrompt,
  index: TaskIndex,
  nextTrial: TrialCounter,
  careless = 0,
): ScriptedReply | undefined {
  if (prompt.kind === 'not-a-user') return undefined;
  const opening = firstText(conversation, 'assistant');
  const said = findCaseCode(opening ?? '');
  const reply = (text: string, episode: string | null): ScriptedReply => ({
    role: 'user',
    episode,
    position: countTurns(conversation, 'assistant'),
    content: asksForThoughts(conversation.system) ? withThought(text) : text,
  });
  if (opening !== undefined) {
    const item = said === undefined ? undefined : index.find(said);
    const slip = said === undefined || item === undefined ? null : carelessnessOf(item, said, careless);
    const line = carelessReply(customerReply(lastText(conversation, 'user') ?? ''), slip);
    return reply(line, said ? formatCaseCode(said) : null);
  }
  if (prompt.kind === 'no-instruction') return reply(PHRASES.greeting, null);
  if (prompt.kind === 'unknown-instruction') {
    throw new RequestProblem(
      400,
      'unknown_instruction',
      "The simulated user's instruction is that of no task the scripted model has loaded " +
        `(${index.packKeys.join(', ')}); start it with the pack that the instruction is from.`,
      'messages',
    );
  }
  const { packKey, split, taskId } = prompt.task;
  const seed = conversation.seed ?? nextTrial(`${packKey}/${split}/${taskId}`);
  const code = { packKey, split, taskId, seed };
  const slip = carelessnessOf(prompt.task, code, careless);
  return reply(carelessOpening(openingLine(code), slip, prompt.task), formatCaseCode(code));
}

/** The react user simulator wants two labelled sections. */
function asksForThoughts(system: string): boolean {
  return system.includes('Thought:') && system.includes('User Response:');
}

function withThought(text: string): string {
  return `Thought:\nI say what my request needs next.\n\nUser Response:\n${text}`;
}
