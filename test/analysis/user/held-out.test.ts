/**
 * Sentences that were written after the patterns: how many of them are found says more of the recall than those that
 * the patterns were made with. For a first lot the patterns were changed; the unseen lot came after that. When a pattern
 * is changed for one of them, it has to move to the first, and another be written.
 */

import { beforeAll, expect, it } from 'vitest';
import { findUserFaults } from '../../../src/analysis/testing.ts';
import type { UserFaultKind } from '../../../src/analysis/index.ts';
import { STOP_MARKER } from '../../../src/benchmarks/index.ts';
import { readPack, type Pack } from '../../../src/benchmarks/testing.ts';
import { episodeOf, exchange } from './conversations.ts';

const task = {
  userId: 'ann_lee_1234',
  instruction: 'You are Ann Lee in 19122. You want to send back the kettle from your last order.',
  actions: [],
  outputs: [],
};

let pack: Pack | undefined;
beforeAll(async () => {
  pack = await readPack(new URL('../../../data/retail', import.meta.url).pathname);
});

function kindsOf(agent: string, user: string): UserFaultKind[] {
  if (pack === undefined) throw new Error('the pack has not been read');
  return findUserFaults(pack, episodeOf(task, 'Hello.', [exchange(agent, user)]))
    .filter(({ severity }) => severity === 'suspect')
    .map(({ kind }) => kind);
}

const AGENT_LINES = [
  "I'm sorry to hear that. May I have your order number so that I can look into it?",
  'Sure! I can help you return that item. Please share your order ID.',
  'I understand. Let me check our system for you.',
  'Your refund of $45.20 has been issued to the original payment method.',
  'Is there anything else I may assist you with today?',
  'Welcome to our store! What can I do for you today?',
  'We apologise for the inconvenience. Our team will contact you shortly.',
  'I see that your order is still pending. Would you like me to cancel it?',
  "I've found your order. It was delivered on Monday.",
  'As your virtual assistant, I can look up orders and process returns.',
];

const THOUGHTS = [
  'THOUGHT: I have to stay in character. No.',
  '<think>I have no order number.</think> No, sorry.',
  'User Response: No, sorry.',
  'My goal is to return the kettle, so I should agree. Yes.',
  'Response:\n"No, sorry."',
  '[Thinking: the agent wants a number] No, sorry.',
  'Based on the instruction, I would say no.',
  '{"content": "No, sorry."}',
  'Agent: May I have your number?\nUser: No.',
  'Since I am simulating a customer, I would answer: no.',
];

const EARLY = [
  ['Do I have your permission to process this return?', `Yes, you do. ${STOP_MARKER}`],
  ['Are you sure you want to return the kettle?', `Yes, I am. ${STOP_MARKER}`],
  ['I need an explicit yes to continue.', `Yes. ${STOP_MARKER}`],
  ['Kindly confirm the details above, and I will submit the return.', `Confirmed, thank you. ${STOP_MARKER}`],
  ['Which of the two kettles do you mean?', STOP_MARKER],
  ['Would you prefer the refund on your card or as a gift card?', `My card, please. ${STOP_MARKER}`],
  ['Just to double check: the blue one, to your card. Correct?', `Correct! ${STOP_MARKER}`],
  ['Ready to proceed?', `Yes please! ${STOP_MARKER}`],
  ['Your return is being submitted now, please stay with me.', `Okay, thanks. ${STOP_MARKER}`],
  ['Do you agree to these changes? Let me know if you have any questions.', `Yes, I agree. ${STOP_MARKER}`],
] as const;

const IDS = [
  'Order #W0000001.',
  'It should be W99887766.',
  'Order ID: 12345',
  'The tracking code is ZX81-4410.',
  'My username is ann_lee_9999.',
  'My account is annlee_77.',
  'item 1234567890',
  'PayPal 7654321, please.',
  'gift_card_1112223',
  'The confirmation number was KX41QZ.',
];

/** Written last of all. */
const UNSEEN = {
  spoke_as_agent: [
    'Certainly! May I know the reason for the return?',
    'I have updated the shipping address on your order.',
    'Please hold while I retrieve your details.',
    "You're all set! Your exchange request has been submitted.",
    'To verify your identity, please provide your email address.',
    'Thanks for waiting. I can see two orders under your account.',
    'Is there something else I can assist you with?',
    "I'm transferring you to a human agent now.",
  ],
  leaked_thought: [
    'Internal thought: she wants my number. No.',
    'Thought - I do not know it.\nI do not know it.',
    'User: I do not know it.',
    '*thinks: I should wait* I do not know it.',
    'As a simulated user I do not have it.',
    '<response>I do not know it.</response>',
    "I shouldn't reveal that yet. I do not know it.",
    '{"thought": "no number", "reply": "I do not know it."}',
  ],
  stopped_early: [
    ['May I proceed with the return?', `Yes, you may. ${STOP_MARKER}`],
    ['Please type "yes" and I will send it.', `Yes ${STOP_MARKER}`],
    ['Shall we go with the card?', `Sounds good, thanks! ${STOP_MARKER}`],
    ['I just need your confirmation.', `You have it. ${STOP_MARKER}`],
    ['Let me process that for you.', STOP_MARKER],
    ['Would that be acceptable?', `That is perfect. ${STOP_MARKER}`],
    ['What is your zip code?', STOP_MARKER],
    ['Can you confirm that you want both returned?', `Yes, both. Thank you, bye! ${STOP_MARKER}`],
  ],
  invented_id: [
    'It is order #W4455667.',
    'I have 2 orders, w4455667 and another.',
    'User ID: annlee1234.',
    'The code on the parcel is 884213.',
    'Use credit_card_5550001.',
    'My card number is 5550001.',
    'It says item no. 8877665544 on the box.',
    'The number is W-4455-667.',
  ],
} as const;

/** Nothing was changed for those that are missed: the figures are the recall that docs/users.md gives. */
it.each([
  ['spoke_as_agent', 3],
  ['leaked_thought', 4],
  ['stopped_early', 5],
  ['invented_id', 8],
] as const)('finds of the eight unseen cases of %s just %d', (kind, count) => {
  const lines = UNSEEN[kind].map((line) => (typeof line === 'string' ? (['I see.', line] as const) : line));
  const found = lines.filter(([agent, user]) => kindsOf(agent, user).includes(kind));
  expect(found.length).toBe(count);
});

it.each([
  ['spoke_as_agent', AGENT_LINES.map((line) => ['I see.', line] as const), 9],
  ['leaked_thought', THOUGHTS.map((line) => ['I see.', line] as const), 9],
  ['stopped_early', EARLY, 9],
  ['invented_id', IDS.map((line) => ['I see.', line] as const), 9],
] as const)('finds those of %s that patterns were changed for, but for one', (kind, lines, count) => {
  const missed = lines.filter(([agent, user]) => !kindsOf(agent, user).includes(kind));
  expect({ found: lines.length - missed.length, missed }).toMatchObject({ found: count });
});
