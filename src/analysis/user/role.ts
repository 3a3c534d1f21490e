/**
 * Detects a simulated user that leaves its role: it recites its instruction, speaks as the agent, shows thoughts, ends
 * the conversation too early, or does not end it.
 */

import { splitSentences } from '../attribution/claims.ts';
import type { UserFault } from '../types.ts';
import { containsPhrase, makeUserFault, splitIntoWords, type Detector, squash, type UserTurn } from './conversation.ts';

const SECOND_PERSON_RUN = 10;
const LONG_RUN = 20;
/**
 * Largest share of the instruction's words in a turn. Short instructions, below {@link LONG_RUN} words, can hardly be
 * said in other words.
 */
const MOST = 0.7;

const SECOND_PERSON = /^(?:you|your|yours|yourself|you're|you've|you'd|you'll)$/;

/**
 * Finds recited instructions, which the prompt forbids ("Do not repeat the exact instruction in the conversation").
 *
 * Checks: the longest sequence of words that a turn shares with the instruction, ignoring case and punctuation. Parts
 * of the instruction in quotation marks may be said, and are ignored. Cannot detect: the instruction in other words.
 * Severity: suspect if a sequence of ten words or more still addresses the user as "you", or if a turn has most of the
 * instruction; a remark for other sequences of twenty words or more. A recited task is easier, and another task.
 */
export const findRecitals: Detector = ({ episode, turns }) => {
  const instruction = splitIntoWords(withoutQuoted(episode.task.instruction));
  return turns.flatMap((turn): UserFault[] => {
    const run = longestCommonRun(instruction, splitIntoWords(turn.text));
    const words = run.length;
    const count = `${String(words)} words`;
    if (words >= SECOND_PERSON_RUN && run.some((word) => SECOND_PERSON.test(word))) {
      const sentence = `The user repeats ${count} of its instruction that speak to it: "${run.join(' ')}".`;
      return [makeUserFault('recited_instruction', 'suspect', turn, sentence)];
    }
    if (words < LONG_RUN) return [];
    const severity = words >= instruction.length * MOST ? 'suspect' : 'remark';
    return [makeUserFault('recited_instruction', severity, turn, `The user repeats ${count} of its instruction.`)];
  });
};

/** A straight single quote opens where a word begins and closes where one ends; elsewhere it is an apostrophe. */
function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"|“[^“”]*”|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^'](?:[^']|'(?=\p{L}))*'(?!\p{L})/gu, ' … ');
}

/**
 * Finds the first of the longest common sequences, by its position in `one`. Each word of `other` costs as much as
 * `one` contains it.
 */
function longestCommonRun(one: readonly string[], other: readonly string[]): readonly string[] {
  const places = new Map<string, number[]>();
  for (const [at, word] of one.entries()) places.set(word, [...(places.get(word) ?? []), at]);
  let best = 0;
  let end = 0;
  // By position in `one`: the length of the sequence that ends there and at the previous word of `other`.
  let previous: ReadonlyMap<number, number> = new Map();
  for (const word of other) {
    const runs = new Map<number, number>();
    for (const at of places.get(word) ?? []) {
      const length = (previous.get(at - 1) ?? 0) + 1;
      runs.set(at, length);
      if (length > best || (length === best && at + 1 < end)) [best, end] = [length, at + 1];
    }
    previous = runs;
  }
  return one.slice(end - best, end);
}

/** Matches an action with its object. */
const DEED =
  '(?:processed|cancell?ed|updated|booked|changed|modified|refunded|exchanged|returned|issued|transferred|located|found|upgraded|downgraded|added|applied|submitted|issued|scheduled|shipped)';
const DO =
  '(?:process|cancel|update|book|change|modify|refund|exchange|issue|look up|upgrade|downgrade|retrieve|pull up)';

/**
 * Matches the rest of a sentence. Its length is limited, so that a text with many beginnings is not read to its end
 * from each of them.
 */
const REST = '[^.?!]{0,300}';

const SERVING = [
  /\bhow (?:can|may|might) I (?:assist|help|be of (?:assistance|service to)) you\b/i,
  /\b(?:is|was) there anything else (?:that )?I (?:can|could|may) (?:do|help|assist)(?: (?:for|with))? ?you\b/i,
  /\banything else (?:that )?I can (?:help|assist) you\b/i,
  new RegExp(`\\bI(?:'ve| have| just|'ve just| have just)? (?:successfully |gone ahead and )?${DEED} your\\b`, 'i'),
  new RegExp(`\\bI(?:'ll| will| can|'m going to| am going to) (?:now |go ahead and |gladly )?${DO} your\\b`, 'i'),
  new RegExp(
    `\\bI(?:'ll| will) (?:now |go ahead and )?${DO} (?:the|this|that|it|these|those)\\b${REST} for you\\b`,
    'i',
  ),
  new RegExp(
    `\\blet me (?:look|check|pull|find)\\b${REST} for you\\b|\\blet me check (?:our|the) (?:system|records?|database)\\b`,
    'i',
  ),
  /\b(?:what can I do|I(?:'m| am) here to (?:help|assist)) (?:for )?you\b|\bwelcome to our\b|\bas (?:your|a) virtual assistant\b/i,
  /\b(?:we|our team) (?:will|'ll) (?:contact|reach out to|notify|email|refund|process|review)\b|\bwe apologi[sz]e for\b/i,
  /\bwould you like me to\b|\b(?:please )?(?:share|confirm|verify|provide) your (?:\w+ ){0,2}(?:id|number|email|name|code|address)\b/i,
  /\bI (?:can|will|'ll|am going to|need to) transfer you\b/i,
  new RegExp(`\\byour (?:\\w+ ){1,4}(?:has|have) been (?:successfully )?${DEED}\\b`, 'i'),
  /\bI(?:'d be| would be|'m| am) (?:happy|glad|more than happy) to (?:assist|help) you\b/i,
  /\bI (?:can|will|'ll) (?:certainly |gladly |definitely )?(?:assist|help) you\b/i,
  /\b(?:to (?:proceed|assist you)[^.?!]{0,60}|could you |can you )?please provide (?:me with )?your\b/i,
  /\b(?:could|can|may) (?:you (?:please )?(?:provide|share|tell me|give me)|I (?:please )?have) your (?:user|order|reservation|booking|account|full|name|email|zip|phone|date)/i,
  /\bthank you for (?:contacting|calling|choosing|your patience while)\b/i,
] as const;

const CLOSING = new RegExp(
  `\\bif you (?:have|need) any(?:thing| (?:further|other|more))\\b${REST}\\b(?:feel free|let me know|don't hesitate|reach out)` +
    '|\\bfeel free to (?:reach out|contact|ask)\\b',
  'i',
);

/** Fewest words of a repetition; shorter ones are confirmations. */
const ECHO_WORDS = 15;

/**
 * Finds a user that speaks as the agent; models that talk with each other easily swap roles.
 *
 * Checks: sentences that only the serving side says, and a turn that repeats the agent's last message. Cannot detect: a
 * swap in words that both sides use ("you're welcome", "let me check", which a user says of its mailbox). Severity:
 * suspect; a polite closing phrase alone ("feel free to reach out") is a remark.
 */
export const findRoleSwaps: Detector = ({ turns }) =>
  turns.flatMap((turn): UserFault[] => {
    const text = turn.text.replaceAll('’', "'");
    const serving = SERVING.map((pattern) => pattern.exec(text)?.[0]).find((words) => words !== undefined);
    if (serving !== undefined) {
      return [makeUserFault('spoke_as_agent', 'suspect', turn, `The user speaks as the agent does: "${serving}".`)];
    }
    if (isEcho(text, turn.agentText ?? '')) {
      return [makeUserFault('spoke_as_agent', 'suspect', turn, 'The user repeats what the agent has just said.')];
    }
    if (!CLOSING.test(text)) return [];
    return [makeUserFault('spoke_as_agent', 'remark', turn, 'The user closes the conversation as an agent does.')];
  });

function isEcho(text: string, agentText: string): boolean {
  const words = splitIntoWords(text);
  return words.length >= ECHO_WORDS && containsPhrase(splitIntoWords(agentText).join(' '), words.join(' '));
}

const LABEL =
  /^[\p{Zs}\t>*_#-]*(?:Thoughts?|User Response|Reflection|Classification|Reasoning|Response|Instructions?|Rules|Action|API output|Observation|User|Customer|Agent|Assistant|System)[*_]*\s*:/imu;
const TAG =
  /<\/?(?:think|thought|thinking|reasoning|response|scratchpad)>|^[\p{Zs}\t]*\[(?:thinking|thought|internal|note)\b/imu;
const JSON_OBJECT = /\{\s*"[^"]+"\s*:/;
/** Matches phrases of a user that talks about its role. */
const ASIDE =
  /\b(?:according to|based on) (?:my|the) instructions?\b|\b(?:mentioned|provided|given|specified|included|stated|listed|found|written|contained) (?:anywhere )?in (?:my|the) instructions?\b|\b(?:in|from|by|per) my instructions?\b|\bmy instructions? (?:does|do|doesn't|don't|say|says|mention|mentions)\b|\bI am simulating\b|\bI'm simulating\b|\bas (?:an AI|a language model|a simulated)\b|\(I (?:should|must|need to|will|was told)\b|\b(?:I should|I must|I was told to) not (?:reveal|disclose|provide|give away|mention)\b/i;
const GAP = /\[(?:(?:your|insert|provide|enter|my|fill in)\b[^[\]]*|[a-z ]+ (?:id|number|name|code|date))\]/i;

/**
 * Finds thoughts and forms that the agent should not see.
 *
 * Checks: labels at the start of a line and tags (`Thought:`, `<think>`, `User Response:`, `Reflection:`,
 * `Classification:`, roles), JSON objects, words about the role itself ("according to my instruction"), and unfilled
 * gaps (`[your order id]`). Cannot detect: thoughts in other words and without a label. Severity: suspect; a gap is a
 * remark. If the agent sees the thoughts of a `react` user by design (`--user-strategy react-reference`), every episode
 * of the run is marked.
 */
export const findLeaks: Detector = ({ turns }) =>
  turns.flatMap((turn): UserFault[] => {
    const label = (LABEL.exec(turn.text) ?? TAG.exec(turn.text))?.[0].trim();
    if (label !== undefined) {
      return [makeUserFault('leaked_thought', 'suspect', turn, `The user's words have a label, "${label}".`)];
    }
    if (JSON_OBJECT.test(turn.text)) {
      return [makeUserFault('leaked_thought', 'suspect', turn, 'The user speaks in JSON.')];
    }
    const aside = ASIDE.exec(turn.text)?.[0];
    if (aside !== undefined) {
      return [
        makeUserFault('leaked_thought', 'suspect', turn, `The user speaks of the part that it plays: "${aside}".`),
      ];
    }
    const gap = GAP.exec(turn.text)?.[0];
    if (gap === undefined) return [];
    return [makeUserFault('leaked_thought', 'remark', turn, `The user leaves a gap to be filled in, ${gap}.`)];
  });

/** Matches questions whether to do something. */
const ASKS_LEAVE =
  /\b(?:would you like (?:me )?to|do you (?:want|wish) (?:me )?to|shall I|should I|may I|can I (?:go ahead|proceed)|(?:is|are) (?:that|this|these|you) (?:ok|okay|correct|alright|all right|fine)|let me know (?:if|how|whether) you(?:'d| would) like to proceed|(?:please|kindly|do you|could you|can you) (?:please )?confirm|explicit (?:yes|confirmation)|reply (?:with )?"?yes|\(yes\/no\)|\(yes or no\))/i;
/** Match other questions with the answer yes: their ends, and the beginnings of the question or of its last part. */
const ENDS_WHETHER = /\b(?:correct|right|okay|ok|alright|ready to (?:go ahead|proceed|continue))\?$/i;
const BEGINS_WHETHER = /(?:^|[,;:] )(?:are|is|do|does|did|have|has|will|would|can|could|shall|should|may) [^?]+\?/i;
/** Matches questions for a fact. */
const ASKS_FACT =
  /\b(?:please provide|please (?:let me know|tell me|share|specify)|could you (?:please )?(?:provide|tell|share))\b/i;
/** Matches "Anything else?" and similar questions, which need not be answered before the end. */
const OFFERS_MORE =
  /\b(?:anything else|something else|any(?: \w+)? (?:questions?|requests?|assistance|help|concerns?)|else (?:I|you)|further (?:assistance|help|questions?)|(?:other|more) questions?)\b/i;
const AT_WORK =
  /\b(?:one moment|a moment|just a (?:moment|second|minute)|please (?:hold|wait|bear with)|I(?:'ll| will)(?: now)? (?:proceed|process|go ahead)|let me (?:proceed|process|go ahead)|I am (?:now )?(?:processing|proceeding)|is being (?:processed|submitted|cancelled|updated)|stay with me)\b/i;

/**
 * Finds ends that cut the agent off after it has asked to proceed, because a user that wants its request done must
 * agree.
 *
 * Checks: the turn that stops, and the message that it answers. "May I?" – "Yes, please. ###STOP###": the agent never
 * gets the step in which it would have done it. The same holds if the agent had announced that it would do it, or had
 * asked and got only the stop. Cannot detect: a forgotten request when the agent believed that it had finished; whether
 * an agent that refuses is right; a question in unknown words. Severity: suspect; a question that is left open with
 * other words is a remark, because the instruction may ask for that ("if that is impossible, give up"). Neither uses
 * the result of the episode.
 */
export const findEarlyStop: Detector = ({ turns }) => {
  const last = turns.at(-1);
  if (last?.stops !== true || last.agentText === null) return [];
  const found = findReason(last, last.agentText.replaceAll('’', "'"));
  return found === null ? [] : [makeUserFault('stopped_early', found.severity, last, found.sentence)];
};

function findReason(turn: UserTurn, agentText: string): Pick<UserFault, 'severity' | 'sentence'> | null {
  const open = splitSentences(agentText).filter((sentence) => !OFFERS_MORE.test(sentence));
  const consents = isConsent(turn.text);
  const isMute = turn.text === '';
  const asksLeave = open.some((sentence) => ASKS_LEAVE.test(sentence) || isWhether(sentence));
  if (asksLeave && consents) {
    return toSuspect('The user agrees to what the agent asks, and stops before the agent can do it.');
  }
  if (asksLeave && isMute) return toSuspect('The agent asks whether to go on, and the user stops without an answer.');
  const isClosing = OFFERS_MORE.test(agentText);
  if (!isClosing && open.some((sentence) => AT_WORK.test(sentence))) {
    return toSuspect('The agent says that it is at work, and the user stops before it is done.');
  }
  const asksFact = open.some((sentence) => ASKS_FACT.test(sentence) || sentence.endsWith('?'));
  if (!asksLeave && !asksFact) return null;
  if (isMute) return toSuspect('The agent asks for something, and the user stops without an answer.');
  if (isClosing) return null;
  return { severity: 'remark', sentence: 'The user stops where the agent has asked something.' };
}

function isWhether(sentence: string): boolean {
  if (!sentence.endsWith('?') || ASKS_FACT.test(sentence)) return false;
  if (ENDS_WHETHER.test(sentence)) return true;
  // Searches only the text after the last question mark. A leading character keeps the text from matching as a
  // beginning.
  const from = Math.max(0, sentence.lastIndexOf('?', sentence.length - 2));
  return BEGINS_WHETHER.test(sentence.slice(from));
}

function toSuspect(sentence: string) {
  return { severity: 'suspect', sentence } as const;
}

const FAREWELLS = 3;
const REPEATS = 3;
const REPEATED_WORDS = 4;

/**
 * Finds conversations that the user prolongs with repeated goodbyes or repeated sentences.
 *
 * Checks: turns at the end that contain only thanks and goodbye without the stop marker, and turns that are equal
 * except for punctuation. Repeated consent is allowed, because the agent asks for it. Cannot detect: a conversation
 * that repeats itself in other words. Severity: suspect if the episode then ran out of steps, which is the only outcome
 * that is used, and only here; otherwise the same turns did no harm and are a remark.
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
  const sentence = `The user says goodbye ${String(goodbyes.length)} times without ending the conversation.`;
  return [makeUserFault('never_stopped', ranOut ? 'suspect' : 'remark', first, sentence)];
}

function findRepeats(turns: readonly UserTurn[], ranOut: boolean): UserFault[] {
  const said = new Map<string, UserTurn[]>();
  for (const turn of turns) {
    if (splitIntoWords(turn.text).length < REPEATED_WORDS || isConsent(turn.text) || isFarewell(turn.text)) continue;
    const key = squash(turn.text);
    said.set(key, [...(said.get(key) ?? []), turn]);
  }
  return Array.from(said.values()).flatMap((same): UserFault[] => {
    const first = same[0];
    if (first === undefined || same.length < REPEATS) return [];
    const severity = ranOut && same.at(-1) === turns.at(-1) ? 'suspect' : 'remark';
    return [makeUserFault('never_stopped', severity, first, `The user says the same ${String(same.length)} times.`)];
  });
}

const CONSENT =
  /\b(?:yes|yeah|yep|correct|agreed|okay|sure|absolutely|definitely|go ahead|please do|please (?:proceed|continue|go|transfer|process|cancel|book|issue)|proceed|confirm(?:ed)?|sounds good|that works|that's fine|do it|let's do)\b/i;
const REFUSAL =
  /\b(?:no|nope|not|never ?mind|don't|won't|can't|cannot|decline|instead|rather|forget it|leave it|hold off|wait)\b/i;
const FAREWELL =
  /\b(?:thanks?|thank you|goodbye|bye|take care|have a (?:\w+ )?(?:day|one|evening|night|weekend|trip|flight)|you too|see (?:you|ya)|will do|that's all|all set|cheers|appreciate)\b/i;
/** Most words of a farewell; a longer text also says something else. */
const FAREWELL_WORDS = 40;

function isConsent(text: string): boolean {
  const plain = text.replaceAll('’', "'");
  return CONSENT.test(plain) && !REFUSAL.test(plain);
}

/** True if the text only thanks and says goodbye. */
export function isFarewell(text: string): boolean {
  const plain = text.replaceAll('’', "'");
  return (
    FAREWELL.test(plain) && !plain.includes('?') && splitIntoWords(plain).length <= FAREWELL_WORDS && !isRequest(plain)
  );
}

function isRequest(text: string): boolean {
  return /\b(?:please|could you|can you|would you|i(?:'d| would) like|i (?:want|need) (?:to|you)|but|however|my \w+ (?:id|number) is)\b/i.test(
    text,
  );
}
