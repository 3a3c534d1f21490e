/** The sentences of the scripted user and the scripted agent, and the patterns that recognize them. */

import { STOP_MARKER } from '../benchmark/index.ts';
import { formatCaseCode, type CaseCode } from './case-code.ts';

export const PHRASES = {
  /** Ends the agent's last answer; the customer stops when it reads it. */
  requestComplete: 'Your request is complete.',
  handled: 'Everything has been taken care of.',
  beforeTransfer: 'I will now pass you on to a colleague; may I go ahead?',
  /** Asked when the agent wants the customer to decide; the customer consents. */
  mayIGoOn: 'I would like to go on with your request now; may I?',
  goodbye: 'Thank you for getting in touch. Goodbye.',
  consent: 'Yes, please go ahead.',
  greeting: 'Hello, I could use some help.',
  handOver: 'The customer needs help that goes beyond what I can do.',
} as const;

/** Pattern of an agent's last message, whatever the agent. */
const END_OF_HELP = /your request is complete|goodbye|anything else|have a (?:great|good|nice|wonderful|lovely) /i;

const OPENINGS = [
  'Hi, I need some help with my account.',
  'Hello, could you help me with something?',
  'Good day, I have a request about an order of mine.',
  'Hi there, I would like to sort something out.',
] as const;

/** The customer's first line. It carries the case code, by which the scripted agent knows its task. */
export function openingLine(code: CaseCode): string {
  const line = OPENINGS[code.taskId % OPENINGS.length] ?? OPENINGS[0];
  return `${line} ${formatCaseCode(code)}`;
}

/** The simulated user's reply to the agent. */
export function customerReply(agentText: string): string {
  return END_OF_HELP.test(agentText) ? STOP_MARKER : PHRASES.consent;
}

/** The sentence that tells a task's outputs, each to the letter. */
export function tellOutputs(outputs: readonly string[]): string {
  if (outputs.length === 0) return PHRASES.handled;
  return `Here is what you asked for: ${outputs.join('; ')}.`;
}
