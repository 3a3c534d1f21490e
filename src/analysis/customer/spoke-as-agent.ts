/**
 * The customer, speaking as the agent: the two roles of a conversation between models are easily swapped.
 *
 * Looks at: sentences that only one who serves says, and a turn that repeats the agent's last words.
 * Cannot see: a swap in words that either side might use ("you're welcome", "let me check", which a customer says of
 * its mailbox).
 * Severity: suspect, a polite closing formula alone ("feel free to reach out") a remark.
 */

import type { CustomerFinding } from '../types.ts';
import { containsText, wordsOf } from './conversation.ts';
import { finding, type Detector } from './detector.ts';

/** What is done, to what of the other's. */
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

export const findRoleSwaps: Detector = ({ turns }) =>
  turns.flatMap((turn): CustomerFinding[] => {
    const text = turn.text.replaceAll('’', "'");
    const serving = SERVING.map((pattern) => pattern.exec(text)?.[0]).find((words) => words !== undefined);
    if (serving !== undefined) {
      return [finding('spoke_as_agent', 'suspect', turn, `The customer speaks as the agent does: "${serving}".`)];
    }
    if (isEcho(text, turn.agentText ?? '')) {
      return [finding('spoke_as_agent', 'suspect', turn, 'The customer repeats what the agent has just said.')];
    }
    if (!CLOSING.test(text)) return [];
    return [finding('spoke_as_agent', 'remark', turn, 'The customer closes the conversation as an agent does.')];
  });

function isEcho(text: string, agentText: string): boolean {
  const words = wordsOf(text);
  return words.length >= ECHO_WORDS && containsText(wordsOf(agentText).join(' '), words.join(' '));
}
