/** Prompts of τ³-bench's agent and simulated user, in the reference's words. */

import { isDict, type PyDict, type PyValue } from '../python/index.ts';

/** The first message of every episode, which the user answers. */
export const FIRST_AGENT_MESSAGE = 'Hi! How can I help you today?';

const AGENT_INSTRUCTION = `You are a customer service agent that helps the user according to the <policy> provided below.
In each turn you can either:
- Send a message to the user.
- Make a tool call.
You cannot do both at the same time.

Try to be helpful and always follow the policy. Always make sure you generate valid JSON only.`;

/** Returns the agent's system prompt. @param policy the domain's whole policy */
export function agentSystemPrompt(policy: string): string {
  return `<instructions>\n${AGENT_INSTRUCTION}\n</instructions>\n<policy>\n${policy}\n</policy>`;
}

/** Returns telecom's policy: for accounts, and the manual or workflow of technical support. */
export function telecomPolicy(main: string, techSupport: string): string {
  return `<main_policy>\n${main}\n</main_policy>\n` + `<tech_support_policy>\n${techSupport}\n</tech_support_policy>`;
}

/**
 * Returns the user's system prompt.
 * @param guidelines guidelines for users with or without tools
 * @param scenario text of a task's scenario
 */
export function userSystemPrompt(guidelines: string, scenario: string): string {
  const withoutPersona = guidelines.replaceAll('<PERSONA_GUIDELINES>', '');
  return `${withoutPersona}\n\n<scenario>\n${scenario}\n</scenario>`;
}

/** Formats a task's scenario for the user: persona, and instructions as a text or in parts. */
export function scenarioText(scenario: PyDict): string {
  const instructions = scenario.get('instructions') ?? '';
  return [
    ...part('Persona:', scenario.get('persona')),
    ...part('Instructions:', isDict(instructions) ? instructionsText(instructions) : instructions),
  ].join('\n');
}

function instructionsText(instructions: PyDict): string {
  return [
    `Domain: ${toText(instructions.get('domain'))}`,
    ...part('Reason for call:', instructions.get('reason_for_call')),
    ...part('Known info:', instructions.get('known_info')),
    ...part('Unknown info:', instructions.get('unknown_info')),
    ...part('Task instructions:', instructions.get('task_instructions')),
  ].join('\n');
}

/** Formats a heading with an indented text; nothing without a value. */
function part(heading: string, value: PyValue | undefined): string[] {
  return value === undefined || value === null ? [] : [`${heading}\n${indent(toText(value))}`];
}

function toText(value: PyValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** `textwrap.indent(text, "\t")`, which leaves blank lines unchanged. */
function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? line : `\t${line}`))
    .join('\n');
}
