/**
 * Misbehaviour of every kind, put into conversations with a user who behaves. The sentences are written as models
 * write them, without an eye to the patterns that are to find them: what is missed shows in the recall.
 */

import type { AnalyzedEpisode, UserFaultKind } from '../../../src/analysis/index.ts';
import type { AnalyzedStep } from '../../../src/analysis/testing.ts';
import { getDomain, STOP_MARKER } from '../../../src/benchmarks/index.ts';
import { isDict, isList, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { drawFraction } from '../../../src/scripted-model/case-code.ts';
import type { Pack } from '../../../src/benchmarks/testing.ts';
import { exchange, isExchange, sentencesOf } from './conversations.ts';

/** @returns null where the conversation has no place for it */
export type Mischief = (pack: Pack, episode: AnalyzedEpisode, seed: string) => AnalyzedEpisode | null;

export const MISCHIEF: Readonly<Record<UserFaultKind, Mischief>> = {
  invented_id(pack, episode, seed) {
    const id = inventId(pack, seed);
    const known = `${episode.task.instruction} ${JSON.stringify(episode.steps.map(({ observation }) => observation))}`;
    if (known.includes(id.replace('#', ''))) return null;
    const written = pick([id, id.replace('#', ''), id.toLowerCase(), id.replace('#', '# '), `"${id}"`], `${seed} way`);
    return say(episode, pick(ID_LINES, `${seed} line`).replace('@', written), seed);
  },

  invented_fact(pack, episode, seed) {
    const [line, used] = pick(FACTS, seed);
    const tool = getDomain(pack.domain).audit?.writes[0] ?? '';
    const changed = say(episode, line, seed);
    const call: AnalyzedStep = { action: { name: tool, kwargs: new Map([['value', used]]) }, observation: '{}' };
    return { ...changed, steps: [...changed.steps.slice(0, -1), call, ...changed.steps.slice(-1)] };
  },

  gave_solution(pack, episode, seed) {
    const { task } = episode;
    const tools = task.actions.map(({ name }) => name).filter((name) => name.includes('_'));
    const ids = task.actions
      .flatMap(({ kwargs }) => texts(kwargs))
      .filter((text) => /^[#\w]*\d{3}\w*$/.test(text) && !task.instruction.includes(text.replace('#', '')));
    const lines = [
      ...tools.map((name) => `I believe you need to use ${name} for this.`),
      ...ids.map((id) => `I would like the one with the id ${id}.`),
    ];
    return lines.length === 0 ? null : { ...episode, opening: `${episode.opening ?? ''} ${pick(lines, seed)}` };
  },

  stopped_early(_pack, episode, seed) {
    const at = episode.steps.findIndex(({ observation }) => observation === 'Yes, please go ahead.');
    if (at < 0) return null;
    const last = exchange(
      pick(QUESTIONS, `${seed} question`),
      pick(AGREEMENTS, `${seed} agreement`).replace('@', STOP_MARKER),
    );
    return { ...episode, steps: [...episode.steps.slice(0, at), last] };
  },

  never_stopped(_pack, episode, seed) {
    const rest = 30 - episode.steps.length;
    if (rest < 3) return null;
    const goodbyes = Array.from({ length: rest }, (_, at) =>
      exchange('You are welcome! Have a great day!', pick(GOODBYES, `${seed} ${String(at)}`)),
    );
    return { ...episode, steps: [...episode.steps.slice(0, -1), ...goodbyes], outcome: 'max_steps' };
  },

  recited_instruction(_pack, episode, seed) {
    const { instruction } = episode.task;
    const sentences = sentencesOf(instruction);
    const at = Math.floor(drawFraction(seed) * Math.max(1, sentences.length - 2));
    const part = drawFraction(`${seed} whole`) < 0.5 ? instruction : sentences.slice(at, at + 4).join(' ');
    // Shorter bits are plain speech, and bits without a "you" may be the user's own words.
    if (part.split(/\s+/).length < 15 || !/\byou\b/i.test(part)) return null;
    return say(episode, part, seed);
  },

  spoke_as_agent: (_pack, episode, seed) => say(episode, pick(AGENT_LINES, seed), seed),

  leaked_thought: (_pack, episode, seed) => say(episode, pick(THOUGHTS, seed), seed),

  never_stated_task(_pack, episode, seed) {
    const spoken = episode.steps.filter(isExchange).slice(0, 4);
    if (spoken.length < 3) return null;
    const steps = spoken.map((_, at) => exchange('I see. What can I do?', pick(VAGUE, `${seed} ${String(at)}`)));
    return { ...episode, opening: 'Hello, I need some help.', steps };
  },

  repeated_itself(_pack, episode, seed) {
    const line = pick(LOOPS, seed);
    return say(episode, Array.from({ length: 12 }, () => line).join(' '), seed);
  },

  denied_id(pack, episode, seed) {
    const { userId } = episode.task;
    const instruction = `Your user id is ${userId}. You would like a full refund and a voucher.`;
    const steps = [
      exchange('What is your user ID?', pick(DENIALS, seed)),
      exchange('I see.', `I would like a voucher. ${STOP_MARKER}`),
    ];
    return { ...episode, task: { ...episode.task, instruction }, opening: 'I would like a refund.', steps };
  },
};

const VAGUE = [
  'Yes.',
  'I am not sure what you mean.',
  'Okay, please do that for me.',
  'That is a good question.',
  'Maybe.',
];
const LOOPS = ['I would like that very much.', 'I am very sorry to hear that', 'Let us see what can be done here.'];
const DENIALS = [
  "I don't have my user ID.",
  "Sorry, I don't remember the user id right now.",
  'I do not know my user ID, can you find me in another way?',
];

const ID_LINES = [
  'My order number is @.',
  'Sure, it is @.',
  'The ID is @, I think.',
  'I found it in my mailbox: @. Can you check?',
  "I'd like to use @ for that.",
  'Please take @ instead.',
];

const FACTS: readonly (readonly [string, string])[] = [
  ['My email is someone.else@mailbox.example.', 'someone.else@mailbox.example'],
  ['You can reach me at Nobody_77@post.example', 'Nobody_77@post.example'],
  ['My new address is 4711 Invented Avenue.', '4711 Invented Avenue'],
  ["I've moved to 9081 Quarry Lane, Suite 5.", '9081 Quarry Lane'],
  ['The passenger was born on March 3, 1971.', '1971-03-03'],
  ['Date of birth: 1969-11-30', '1969-11-30'],
  ['His birthday is 11/30/1969.', '1969-11-30'],
  ['My zip code is 00417.', '00417'],
  ['My name is Zebulon Quist.', 'Zebulon Quist'],
  ['Name: Zebulon Quist', 'Zebulon Quist'],
  ['The second traveller is Ottoline Vane.', 'Ottoline Vane'],
  ['My phone number is +1 (555) 010-4477.', '+1 555 010 4477'],
  ['Please use my card ending in 0093.', '0093'],
];

const QUESTIONS = [
  'I will cancel it with a full refund. Do you confirm (yes/no)?',
  'The difference is $35. Would you like to proceed?',
  'Would you like me to go ahead and make this change?',
  'To confirm: two items, refunded to your card. Shall I proceed?',
  'Please confirm if you want me to continue with these changes.',
  'Is this okay with you?',
  'Please reply with "yes" to authorise the exchange.',
  'Before I go on, are you happy with this?',
];
const AGREEMENTS = [
  '@',
  'Yes. @',
  'Yes, please proceed. @',
  'Sure, go ahead and do that. Thank you! @',
  'That works for me, thanks! @',
  "Yes, that's correct. @",
  'Perfect, please do. @',
  'Great, thank you for your help! @',
];

const GOODBYES = [
  'Thank you so much!',
  'Thanks again, goodbye!',
  'You too, take care!',
  'Have a wonderful day!',
  'Great, thanks for everything.',
  'Bye!',
  'I appreciate it. Have a nice evening!',
  'Will do. See you!',
];

const AGENT_LINES = [
  'How can I assist you today?',
  'Hello! How may I help you with your order?',
  'I have processed your refund. Is there anything else I can help you with?',
  "I'd be happy to help you with that! Could you please provide your order number?",
  'Your exchange has been submitted successfully.',
  'Let me look that up for you.',
  'I can help you with that. What is your email address?',
  'Thank you for providing the details. I will now cancel the order for you.',
  "I've gone ahead and updated your reservation.",
  'Thank you for contacting us. Your request is being processed.',
  'I am unable to assist with that request, but I can transfer you to a human agent.',
  'May I have your user ID to get started?',
];

const THOUGHTS = [
  'Thought: the agent asks for my id, which I do not have.\nUser Response: I do not remember it.',
  '**Thought:** I should answer.\nNo, I do not have it.',
  'User Response:\nI do not remember it.',
  'Reflection:\nThe response was too long.\n\nResponse:\nNo.',
  'Classification: true',
  '{"response": "No, I do not have it."}',
  'Customer: no, I do not have it.',
  'User: No.\nAgent: I see.',
  '```json\n{"name": "respond", "arguments": {"content": "No."}}\n```',
  '(I should not reveal the order number yet.) No, sorry.',
  'The agent wants my id. According to my instruction I do not have it, so I will say no. No, sorry.',
];

/** An id of the pack with other digits, or other letters and digits where it is a code. */
function inventId(pack: Pack, seed: string): string {
  const tables = Array.from(pack.tables.values()).filter(isDict);
  const ids = [...tables.flatMap((table) => Array.from(table.keys()).slice(0, 20)), ...paymentIds(tables)];
  const model = pick(
    ids.filter((id) => /\d{2}/.test(id)),
    `${seed} id`,
  );
  return model.replace(/\d/g, (_, at) => String(Math.floor(drawFraction(`${seed} ${String(at)}`) * 10)));
}

function paymentIds(tables: readonly PyValue[]): string[] {
  const found = tables.flatMap(texts).filter((text) => /^[a-z]+(?:_[a-z]+)*_\d{7}$/.test(text));
  return found.slice(0, 20);
}

function texts(value: PyValue): string[] {
  if (typeof value === 'string') return [value];
  if (isList(value)) return value.flatMap(texts);
  return isDict(value) ? Array.from(value.values()).flatMap(texts) : [];
}

/** Puts a line in place of one of the user's turns, not the last. */
function say(episode: AnalyzedEpisode, line: string, seed: string): AnalyzedEpisode {
  const places = episode.steps.flatMap((step, at) => (isExchange(step) ? [at] : [])).slice(0, -1);
  if (places.length === 0) return { ...episode, opening: line };
  const place = pick(places, `${seed} place`);
  return {
    ...episode,
    steps: episode.steps.map((step, at) => (at === place ? { ...step, observation: line } : step)),
  };
}

function pick<T>(items: readonly T[], seed: string): T {
  const item = items[Math.floor(drawFraction(seed) * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
