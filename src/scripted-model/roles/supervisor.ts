/** The verify and reflection simulators' supervisor: every reply of the scripted customer is satisfactory. */

import { findCaseCode, formatCaseCode } from '../case-code.ts';
import type { Conversation } from '../conversation.ts';
import { PHRASES } from '../phrases.ts';
import type { ScriptedReply } from '../reply.ts';

/** @returns undefined when nobody's reply is to be judged */
export function playSupervisor(conversation: Conversation): ScriptedReply | undefined {
  const [only, ...others] = conversation.turns;
  if (only?.role !== 'user' || others.length > 0) return undefined;
  const prompt = only.text;
  const content = verdict(prompt);
  if (content === undefined) return undefined;
  const code = findCaseCode(prompt);
  return {
    role: content === 'true' ? 'user/verify' : 'user/reflect',
    episode: code === undefined ? null : formatCaseCode(code),
    position: 0,
    content,
  };
}

function verdict(prompt: string): string | undefined {
  // The transcript comes first in these prompts, so what is asked for stands near their end.
  const end = prompt.slice(-400);
  if (/Reflection:[\s\S]*Response:/.test(end)) {
    return `Reflection:\nThe answer should simply move the request on.\n\nResponse:\n${PHRASES.consent}`;
  }
  if (/(?:Classification|Verdict):\s*$/.test(end)) return 'true';
  if (/\btrue\b[\s\S]{0,40}\bfalse\b/i.test(end) && /classif/i.test(prompt)) return 'true';
  return undefined;
}
