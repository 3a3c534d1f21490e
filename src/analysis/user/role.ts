/** Detectors of a simulated user that leaves its role: it recites its instruction, speaks as the agent, or shows thoughts. */

import type { UserFault } from '../types.ts';
import { containsText, makeUserFault, splitWords, type Detector } from './conversation.ts';

const SECOND_PERSON_RUN = 10;
const LONG_RUN = 20;
/** Of the instruction's words; below {@link LONG_RUN} words an instruction can hardly be said otherwise. */
const MOST = 0.7;

const SECOND_PERSON = /^(?:you|your|yours|yourself|you're|you've|you'd|you'll)$/;

/**
 * The instruction, repeated: the prompt forbids it ("Do not repeat the exact instruction in the conversation").
 *
 * Looks at: the longest run of words that a turn has in common with the instruction, ignoring case and punctuation. What
 * the instruction itself puts in quotation marks is meant to be said, and does not count.
 * Cannot see: an instruction in other words.
 * Severity: suspect if a run of ten words or more still addresses the user as "you", or if a turn has most of the
 * instruction; a remark for other runs of twenty words or more. A task that has been read out is easier, and another.
 */
export const findRecitals: Detector = ({ episode, turns }) => {
  const instruction = splitWords(withoutQuoted(episode.task.instruction));
  return turns.flatMap((turn): UserFault[] => {
    const run = longestCommonRun(instruction, splitWords(turn.text));
    const words = run.length;
    const count = `${String(words)} words`;
    if (words >= SECOND_PERSON_RUN && run.some((word) => SECOND_PERSON.test(word))) {
      const sentence = `The customer repeats ${count} of its instruction that speak to it: "${run.join(' ')}".`;
      return [makeUserFault('recited_instruction', 'suspect', turn, sentence)];
    }
    if (words < LONG_RUN) return [];
    const severity = words >= instruction.length * MOST ? 'suspect' : 'remark';
    return [makeUserFault('recited_instruction', severity, turn, `The customer repeats ${count} of its instruction.`)];
  });
};

/** A straight single quote opens where a word begins and closes where one ends; elsewhere it is an apostrophe. */
function withoutQuoted(text: string): string {
  return text.replace(/"[^"]*"|“[^“”]*”|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^'](?:[^']|'(?=\p{L}))*'(?!\p{L})/gu, ' … ');
}

/** The first of the longest, by its place in `one`. Each word of `other` costs as often as `one` has it. */
function longestCommonRun(one: readonly string[], other: readonly string[]): readonly string[] {
  const places = new Map<string, number[]>();
  for (const [at, word] of one.entries()) places.set(word, [...(places.get(word) ?? []), at]);
  let best = 0;
  let end = 0;
  // By place in `one`: the length of the run that ends there, and at the word of `other` that was read last.
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

/** An action, and its object. */
const DEED =
  '(?:processed|cancell?ed|updated|booked|changed|modified|refunded|exchanged|returned|issued|transferred|located|found|upgraded|downgraded|added|applied|submitted|issued|scheduled|shipped)';
const DO =
  '(?:process|cancel|update|book|change|modify|refund|exchange|issue|look up|upgrade|downgrade|retrieve|pull up)';

/** Of a sentence; bounded, so that a text of beginnings alone is not read to its end from each of them. */
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

/** Fewer words than these are repeated in order to confirm them. */
const ECHO_WORDS = 15;

/**
 * The user, speaking as the agent: the two roles of a conversation between models are easily swapped.
 *
 * Looks at: sentences that only the serving side says, and a turn that repeats the agent's last words.
 * Cannot see: a swap in words that either side might use ("you're welcome", "let me check", which a user says of its
 * mailbox).
 * Severity: suspect; a polite closing formula alone ("feel free to reach out") is a remark.
 */
export const findRoleSwaps: Detector = ({ turns }) =>
  turns.flatMap((turn): UserFault[] => {
    const text = turn.text.replaceAll('’', "'");
    const serving = SERVING.map((pattern) => pattern.exec(text)?.[0]).find((words) => words !== undefined);
    if (serving !== undefined) {
      return [makeUserFault('spoke_as_agent', 'suspect', turn, `The customer speaks as the agent does: "${serving}".`)];
    }
    if (isEcho(text, turn.agentText ?? '')) {
      return [makeUserFault('spoke_as_agent', 'suspect', turn, 'The customer repeats what the agent has just said.')];
    }
    if (!CLOSING.test(text)) return [];
    return [makeUserFault('spoke_as_agent', 'remark', turn, 'The customer closes the conversation as an agent does.')];
  });

function isEcho(text: string, agentText: string): boolean {
  const words = splitWords(text);
  return words.length >= ECHO_WORDS && containsText(splitWords(agentText).join(' '), words.join(' '));
}

const LABEL =
  /^[\p{Zs}\t>*_#-]*(?:Thoughts?|User Response|Reflection|Classification|Reasoning|Response|Instructions?|Rules|Action|API output|Observation|User|Customer|Agent|Assistant|System)[*_]*\s*:/imu;
const TAG =
  /<\/?(?:think|thought|thinking|reasoning|response|scratchpad)>|^[\p{Zs}\t]*\[(?:thinking|thought|internal|note)\b/imu;
const JSON_OBJECT = /\{\s*"[^"]+"\s*:/;
/** Phrases of somebody who only plays a role. */
const ASIDE =
  /\b(?:according to|based on) (?:my|the) instructions?\b|\bI am simulating\b|\bI'm simulating\b|\bas (?:an AI|a language model|a simulated)\b|\(I (?:should|must|need to|will|was told)\b|\b(?:I should|I must|I was told to) not (?:reveal|disclose|provide|give away|mention)\b/i;
const GAP = /\[(?:(?:your|insert|provide|enter|my|fill in)\b[^[\]]*|[a-z ]+ (?:id|number|name|code|date))\]/i;

/**
 * Thoughts and forms that were not meant to be heard.
 *
 * Looks at: labels at the start of a line and tags (`Thought:`, `<think>`, `User Response:`, `Reflection:`,
 * `Classification:`, roles), JSON objects, words about the role itself ("according to my instruction"), and gaps left to be
 * filled in (`[your order id]`).
 * Cannot see: thoughts in other words and without a label.
 * Severity: suspect, a gap a remark. If the agent hears the thoughts of a `react` user by design (`--compat react-user`),
 * every episode of the run is marked.
 */
export const findLeaks: Detector = ({ turns }) =>
  turns.flatMap((turn): UserFault[] => {
    const label = (LABEL.exec(turn.text) ?? TAG.exec(turn.text))?.[0].trim();
    if (label !== undefined) {
      return [makeUserFault('leaked_thought', 'suspect', turn, `The customer's words have a label, "${label}".`)];
    }
    if (JSON_OBJECT.test(turn.text)) {
      return [makeUserFault('leaked_thought', 'suspect', turn, 'The customer speaks in JSON.')];
    }
    const aside = ASIDE.exec(turn.text)?.[0];
    if (aside !== undefined) {
      return [
        makeUserFault('leaked_thought', 'suspect', turn, `The customer speaks of the part that it plays: "${aside}".`),
      ];
    }
    const gap = GAP.exec(turn.text)?.[0];
    if (gap === undefined) return [];
    return [makeUserFault('leaked_thought', 'remark', turn, `The customer leaves a gap to be filled in, ${gap}.`)];
  });
