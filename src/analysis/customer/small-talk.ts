/** Yes, no, goodbye: what a turn does, told from a few words of English. */

import { wordsOf } from './conversation.ts';

const CONSENT =
  /\b(?:yes|yeah|yep|correct|agreed|okay|sure|absolutely|definitely|go ahead|please do|please (?:proceed|continue|go|transfer|process|cancel|book|issue)|proceed|confirm(?:ed)?|sounds good|that works|that's fine|do it|let's do)\b/i;
const REFUSAL =
  /\b(?:no|nope|not|never ?mind|don't|won't|can't|cannot|decline|instead|rather|forget it|leave it|hold off|wait)\b/i;
const FAREWELL =
  /\b(?:thanks?|thank you|goodbye|bye|take care|have a (?:\w+ )?(?:day|one|evening|night|weekend|trip|flight)|you too|see (?:you|ya)|will do|that's all|all set|cheers|appreciate)\b/i;
/** More words than these carry something else as well. */
const FAREWELL_WORDS = 40;

export function isConsent(text: string): boolean {
  const plain = text.replaceAll('’', "'");
  return CONSENT.test(plain) && !REFUSAL.test(plain);
}

export function isFarewell(text: string): boolean {
  const plain = text.replaceAll('’', "'");
  return FAREWELL.test(plain) && !plain.includes('?') && wordsOf(plain).length <= FAREWELL_WORDS && !isRequest(plain);
}

function isRequest(text: string): boolean {
  return /\b(?:please|could you|can you|would you|i(?:'d| would) like|i (?:want|need) (?:to|you)|but|however|my \w+ (?:id|number) is)\b/i.test(
    text,
  );
}
