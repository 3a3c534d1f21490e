/**
 * Ends that cut the agent off: it had just asked to go on, and a customer who wants what it asks for must let it.
 *
 * Looks at: the turn that stops, and what it answers. "May I?" – "Yes, please. ###STOP###": the agent never gets the
 * step in which it would have done it. The same where it had said that it is about to do it, and where it had asked and
 * the stop is all that it hears.
 * Cannot see: that a request was forgotten while the agent believed to have finished; whether an agent that refuses
 * is right; a question in words that are not known here.
 * Severity: suspect; a question left open with some other words is a remark, for the instruction may ask for it
 * ("if that is impossible, give up"). Neither looks at what was achieved in the end.
 */

import type { CustomerFinding } from '../types.ts';
import type { CustomerTurn } from './conversation.ts';
import { finding, type Detector } from './detector.ts';
import { isConsent } from './small-talk.ts';

/** Questions whether to do something. */
const ASKS_LEAVE =
  /\b(?:would you like (?:me )?to|do you (?:want|wish) (?:me )?to|shall I|should I|may I|can I (?:go ahead|proceed)|(?:is|are) (?:that|this|these|you) (?:ok|okay|correct|alright|all right|fine)|let me know (?:if|how|whether) you(?:'d| would) like to proceed|(?:please|kindly|do you|could you|can you) (?:please )?confirm|explicit (?:yes|confirmation)|reply (?:with )?"?yes|\(yes\/no\)|\(yes or no\))/i;
/** Any other question that a yes answers: how it ends, and how it or its last part begins. */
const ENDS_WHETHER = /\b(?:correct|right|okay|ok|alright|ready to (?:go ahead|proceed|continue))\?$/i;
const BEGINS_WHETHER = /(?:^|[,;:] )(?:are|is|do|does|did|have|has|will|would|can|could|shall|should|may) [^?]+\?/i;
/** Questions for something. */
const ASKS_FACT =
  /\b(?:please provide|please (?:let me know|tell me|share|specify)|could you (?:please )?(?:provide|tell|share))\b/i;
/** "Anything else?" is no question to be answered before one leaves. */
const CLOSING =
  /\b(?:anything else|something else|any(?: \w+)? (?:questions?|requests?|assistance|help|concerns?)|else (?:I|you)|further (?:assistance|help|questions?)|(?:other|more) questions?)\b/i;
const AT_WORK =
  /\b(?:one moment|a moment|just a (?:moment|second|minute)|please (?:hold|wait|bear with)|I(?:'ll| will)(?: now)? (?:proceed|process|go ahead)|let me (?:proceed|process|go ahead)|I am (?:now )?(?:processing|proceeding)|is being (?:processed|submitted|cancelled|updated)|stay with me)\b/i;

export const findEarlyStop: Detector = ({ turns }) => {
  const last = turns.at(-1);
  if (last?.stops !== true || last.agentText === null) return [];
  const found = reasonIn(last, last.agentText.replaceAll('’', "'"));
  return found === null ? [] : [finding('stopped_early', found.severity, last, found.sentence)];
};

function reasonIn(turn: CustomerTurn, agentText: string): Pick<CustomerFinding, 'severity' | 'sentence'> | null {
  const open = sentencesOf(agentText).filter((sentence) => !CLOSING.test(sentence));
  const consents = isConsent(turn.text);
  const isMute = turn.text === '';
  const asksLeave = open.some((sentence) => ASKS_LEAVE.test(sentence) || isWhether(sentence));
  if (asksLeave && consents) {
    return suspect('The customer agrees to what the agent asks, and stops before the agent can do it.');
  }
  if (asksLeave && isMute) return suspect('The agent asks whether to go on, and the customer stops without an answer.');
  const isClosing = CLOSING.test(agentText);
  if (!isClosing && open.some((sentence) => AT_WORK.test(sentence))) {
    return suspect('The agent says that it is at work, and the customer stops before it is done.');
  }
  const asksFact = open.some((sentence) => ASKS_FACT.test(sentence) || sentence.endsWith('?'));
  if (!asksLeave && !asksFact) return null;
  if (isMute) return suspect('The agent asks for something, and the customer stops without an answer.');
  if (isClosing) return null;
  return { severity: 'remark', sentence: 'The customer stops where the agent has asked something.' };
}

function isWhether(sentence: string): boolean {
  if (!sentence.endsWith('?') || ASKS_FACT.test(sentence)) return false;
  if (ENDS_WHETHER.test(sentence)) return true;
  // Only what has no other question mark behind it; a character in front keeps it from being taken for a beginning.
  const from = Math.max(0, sentence.lastIndexOf('?', sentence.length - 2));
  return BEGINS_WHETHER.test(sentence.slice(from));
}

function suspect(sentence: string) {
  return { severity: 'suspect', sentence } as const;
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
