/** Detectors of conversations that the simulated user ends too early, or does not end. */

import type { UserFault } from '../types.ts';
import { makeUserFault, squash, splitWords, type UserTurn, type Detector } from './conversation.ts';

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

/**
 * Ends that cut the agent off: it had just asked to proceed, and a user that wants what it asks for must let it.
 *
 * Looks at: the turn that stops, and what it answers. "May I?" – "Yes, please. ###STOP###": the agent never gets the step in
 * which it would have done it. The same if it had said that it is about to do it, or had asked and got the stop alone as an
 * answer.
 * Cannot see: that a request was forgotten while the agent believed it had finished; if an agent that refuses is right; a
 * question in words that are not known here.
 * Severity: suspect; a question left open with some other words is a remark, because the instruction may ask for it ("if
 * that is impossible, give up"). Neither looks at what was achieved in the end.
 */
export const findEarlyStop: Detector = ({ turns }) => {
  const last = turns.at(-1);
  if (last?.stops !== true || last.agentText === null) return [];
  const found = findReason(last, last.agentText.replaceAll('’', "'"));
  return found === null ? [] : [makeUserFault('stopped_early', found.severity, last, found.sentence)];
};

function findReason(turn: UserTurn, agentText: string): Pick<UserFault, 'severity' | 'sentence'> | null {
  const open = splitSentences(agentText).filter((sentence) => !CLOSING.test(sentence));
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

function splitSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const FAREWELLS = 3;
const REPEATS = 3;
const REPEATED_WORDS = 4;

/**
 * Conversations that the user does not let end: goodbye after goodbye, or the same sentence again and again.
 *
 * Looks at: turns at the end that contain only thanks and goodbye without the stop marker, and turns that are equal except
 * for punctuation. Consent may be repeated: it is the agent who asks.
 * Cannot see: a conversation that goes in circles in ever new words.
 * Severity: suspect if the episode then ran out of steps, which is the only outcome looked at, and only here: the same
 * turns without that did no harm and are a remark.
 */
export const findNoStop: Detector = ({ episode, turns }) => {
  const ranOut = episode.outcome === 'max_steps';
  return [...findGoodbyes(turns, ranOut), ...findRepeats(turns, ranOut)];
};

function findGoodbyes(turns: readonly UserTurn[], ranOut: boolean): UserFault[] {
  const spoken = turns.filter(({ stops }) => !stops);
  const other = spoken.findLastIndex(({ text }) => !isFarewell(text));
  const goodbyes = spoken.slice(other + 1);
  const first = goodbyes[0];
  if (first === undefined || goodbyes.length < FAREWELLS) return [];
  const sentence = `The customer says goodbye ${String(goodbyes.length)} times without ending the conversation.`;
  return [makeUserFault('never_stopped', ranOut ? 'suspect' : 'remark', first, sentence)];
}

function findRepeats(turns: readonly UserTurn[], ranOut: boolean): UserFault[] {
  const said = new Map<string, UserTurn[]>();
  for (const turn of turns) {
    if (splitWords(turn.text).length < REPEATED_WORDS || isConsent(turn.text) || isFarewell(turn.text)) continue;
    const key = squash(turn.text);
    said.set(key, [...(said.get(key) ?? []), turn]);
  }
  return Array.from(said.values()).flatMap((same): UserFault[] => {
    const first = same[0];
    if (first === undefined || same.length < REPEATS) return [];
    const severity = ranOut && same.at(-1) === turns.at(-1) ? 'suspect' : 'remark';
    return [
      makeUserFault('never_stopped', severity, first, `The customer says the same ${String(same.length)} times.`),
    ];
  });
}

const CONSENT =
  /\b(?:yes|yeah|yep|correct|agreed|okay|sure|absolutely|definitely|go ahead|please do|please (?:proceed|continue|go|transfer|process|cancel|book|issue)|proceed|confirm(?:ed)?|sounds good|that works|that's fine|do it|let's do)\b/i;
const REFUSAL =
  /\b(?:no|nope|not|never ?mind|don't|won't|can't|cannot|decline|instead|rather|forget it|leave it|hold off|wait)\b/i;
const FAREWELL =
  /\b(?:thanks?|thank you|goodbye|bye|take care|have a (?:\w+ )?(?:day|one|evening|night|weekend|trip|flight)|you too|see (?:you|ya)|will do|that's all|all set|cheers|appreciate)\b/i;
/** More words than these carry something else as well. */
const FAREWELL_WORDS = 40;

function isConsent(text: string): boolean {
  const plain = text.replaceAll('’', "'");
  return CONSENT.test(plain) && !REFUSAL.test(plain);
}

function isFarewell(text: string): boolean {
  const plain = text.replaceAll('’', "'");
  return (
    FAREWELL.test(plain) && !plain.includes('?') && splitWords(plain).length <= FAREWELL_WORDS && !isRequest(plain)
  );
}

function isRequest(text: string): boolean {
  return /\b(?:please|could you|can you|would you|i(?:'d| would) like|i (?:want|need) (?:to|you)|but|however|my \w+ (?:id|number) is)\b/i.test(
    text,
  );
}
