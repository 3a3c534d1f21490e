/** The texts of a pack that a worker puts into prompts. */

import { dumpJson } from '../python/index.ts';
import { PackError, listWords, type Pack } from './types.ts';

const INSTRUCTION_MARK = '{instruction}';

/**
 * Returns the simulated user's system prompt with the task's instruction, unchanged.
 * @param instruction null: the prompt for a user without a task
 * @throws PackError when the pack has no texts for the user strategy
 */
export function renderUserSystemPrompt(pack: Pack, strategy: string, instruction: string | null): string {
  const { strategies } = pack.userPrompts;
  const texts = Object.hasOwn(strategies, strategy) ? strategies[strategy] : undefined;
  if (texts === undefined) {
    const known = listWords(Object.keys(strategies));
    throw new PackError(
      `the pack ${pack.ref.name} has no prompts for the user strategy ${JSON.stringify(strategy)}; it has ${known}.`,
    );
  }
  if (instruction === null) return texts.systemPromptWithoutInstruction;
  return texts.systemPrompt.split(INSTRUCTION_MARK).join(instruction);
}

const SUPERVISOR_MARKS = /\{transcript\}|\{response\}/;

/**
 * Returns a part of the prompt in which a supervisor judges (`verify`) or corrects (`reflect`) the simulated user's
 * reply: the text before the transcript, between it and the reply, or after the reply.
 * @throws PackError when the pack has no such prompt, or one without the two marks in this order
 */
export function supervisorPart(pack: Pack, key: 'verify' | 'reflect', part: 0 | 1 | 2): string {
  const { verifyPrompt, reflectPrompt } = pack.userPrompts;
  const prompt = key === 'verify' ? verifyPrompt : reflectPrompt;
  const parts = prompt?.split(SUPERVISOR_MARKS) ?? [];
  const text = parts[part];
  if (parts.length === 3 && text !== undefined) return text;
  throw new PackError(
    `the pack ${pack.ref.name} has no ${key}_prompt with {transcript} and then {response} in its user-prompts.json; ` +
      'add it, or choose another user strategy.',
  );
}

/** Returns the tool schemas as one line of JSON in Python's spelling, as agents' prompts show them. */
export function toolsJson(pack: Pack): string {
  return dumpJson(pack.tools);
}
