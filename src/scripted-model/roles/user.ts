/**
 * The simulated user: opens with the case code, consents, and stops when the agent has finished; some misbehave, if the
 * model's name says so.
 */

import { formatCaseCode, findCaseCode, drawFraction, shuffleByText, type CaseCode } from '../case-code.ts';
import { countRoleTurns, firstText, lastText, type Conversation } from '../conversation.ts';
import { RequestProblem } from '../problem.ts';
import type { ScriptedReply } from '../reply.ts';
import { userReply, userCalls, openingLine, PHRASES } from '../script.ts';
import type { TaskIndex, UserPrompt, IndexedTask } from '../task-index.ts';
import { dumpJson, isDict } from '../../benchmarks/python/index.ts';
import { STOP_MARKER } from '../../benchmarks/index.ts';

/** Returns the number of a task's trial for requests without a seed. */
export type TrialCounter = (taskKey: string) => number;

/**
 * @param prompt content of the system prompt; the result is undefined if it describes no user
 * @param misbehaving share of the episodes in which the user misbehaves
 */
export function playUser(
  conversation: Conversation,
  prompt: UserPrompt,
  index: TaskIndex,
  nextTrial: TrialCounter,
  misbehaving = 0,
): ScriptedReply | undefined {
  if (prompt.kind === 'not-a-user') return undefined;
  const opening = firstText(conversation, 'assistant');
  const said = findCaseCode(opening ?? '');
  const reply = (text: string, episode: string | null): ScriptedReply => ({
    role: 'user',
    episode,
    position: countRoleTurns(conversation, 'assistant'),
    content: asksForThoughts(conversation.system) ? withThought(text) : text,
  });
  if (opening !== undefined) {
    const item = said === undefined ? undefined : index.find(said);
    const call = item === undefined ? undefined : nextCall(conversation, item);
    if (call !== undefined) return { ...reply('', said ? formatCaseCode(said) : null), content: null, toolCall: call };
    const slip = said === undefined || item === undefined ? null : drawMisbehavior(item, said, misbehaving);
    const line = misbehavingReply(userReply(lastText(conversation, 'user') ?? ''), slip);
    return reply(line, said ? formatCaseCode(said) : null);
  }
  if (prompt.kind === 'no-instruction') return reply(PHRASES.greeting, null);
  if (prompt.kind === 'unknown-instruction') {
    throw new RequestProblem(
      400,
      'unknown_instruction',
      "The simulated user's instruction is that of no task the scripted model has loaded " +
        `(${index.packKeys.join(', ')}); start it with the pack that the instruction is from.`,
      'messages',
    );
  }
  const first = prompt.task;
  const { packKey, split, taskId } = conversation.seed === null ? first : index.playedWith(first, conversation.seed);
  const seed = conversation.seed ?? nextTrial(`${packKey}/${split}/${taskId}`);
  const code = { packKey, split, taskId, seed };
  const slip = drawMisbehavior(prompt.task, code, misbehaving);
  const manner = MANNERS.find(([sign]) => conversation.system.includes(sign))?.[1];
  const line = openingLine(code) + (manner === undefined ? '' : ` ${manner}`);
  return reply(misbehavingOpening(line, slip, prompt.task), formatCaseCode(code));
}

/** Finds the user's next own call, if the agent has requested calls of the ground truth. */
function nextCall({ turns }: Conversation, { task }: IndexedTask): ScriptedReply['toolCall'] {
  const asked = turns.flatMap((turn, at) => (turn.role === 'user' && turn.text === PHRASES.askForCalls ? [at] : []));
  const from = asked.at(-1);
  if (from === undefined || turns.slice(from + 1).some(({ role }) => role === 'user')) return undefined;
  const made = turns.slice(from + 1).filter(({ calls }) => calls.length > 0).length;
  const action = userCalls(task)[asked.length - 1]?.[made];
  return action && { name: action.name, arguments: dumpJson(action.kwargs) };
}

/** Texts of users with another behavior, by words in the paragraph that requests it. */
const MANNERS: readonly (readonly [sign: string, words: string])[] = [
  ['You are impatient.', 'Please hurry, I have little time.'],
  ['You like to talk.', 'It has been raining all day here, and my aunt is coming to tea, so I am all over the place.'],
  ['You are unsure.', 'I am not sure how this works.'],
  ['a language that you are still learning', 'Sorry, my english is not so good.'],
  ['another agent has already promised', 'Your colleague has already promised me that this is fine.'],
  ['change your mind', 'At first I wanted something else, but please forget that.'],
];

/** True for the react user simulator, which has two labeled sections. */
function asksForThoughts(system: string): boolean {
  return system.includes('Thought:') && system.includes('User Response:');
}

function withThought(text: string): string {
  return `Thought:\nI say what my request needs next.\n\nUser Response:\n${text}`;
}

/** Kinds of misbehavior, named as in the analysis of episodes. */
export const MISBEHAVIOR_KINDS = [
  'invented_id',
  'gave_solution',
  'never_stopped',
  'recited_instruction',
  'spoke_as_agent',
  'leaked_thought',
] as const;
export type MisbehaviorKind = (typeof MISBEHAVIOR_KINDS)[number];

/** Draws the fault of an episode's user; null if there is none. @param share share of the episodes, in [0, 1] */
export function drawMisbehavior(item: IndexedTask, code: CaseCode, share: number): MisbehaviorKind | null {
  const name = formatCaseCode(code);
  if (drawFraction(`careless ${name}`) >= share) return null;
  return (
    shuffleByText(MISBEHAVIOR_KINDS, `careless kind ${name}`).find((kind) => formatSlip(kind, item) !== null) ?? null
  );
}

/** Adds misbehavior to the user's first line. */
function misbehavingOpening(line: string, kind: MisbehaviorKind | null, item: IndexedTask): string {
  const slip = kind === null ? null : formatSlip(kind, item);
  if (slip === null || slip === '') return line;
  return kind === 'leaked_thought' ? `${slip}\n${line}` : `${line} ${slip}`;
}

/** Adds misbehavior to a later line; a user that does not stop thanks instead. */
function misbehavingReply(line: string, kind: MisbehaviorKind | null): string {
  return kind === 'never_stopped' && line === STOP_MARKER ? 'Thank you so much, goodbye!' : line;
}

/** Returns the addition to the first line; null if the task allows none. */
function formatSlip(kind: MisbehaviorKind, { pack, task }: IndexedTask): string | null {
  switch (kind) {
    case 'invented_id': {
      const id = inventedId(pack.tables);
      return id === null ? null : `My number is ${id}.`;
    }
    case 'gave_solution': {
      const tool = task.actions.find(({ name }) => name.includes('_'))?.name;
      return tool === undefined ? null : `You will have to call ${tool}.`;
    }
    case 'recited_instruction':
      // Shorter instructions, and instructions without "you", look like ordinary speech.
      return /^(?:\S+\s+){12}/.test(task.instruction) && /\byou\b/i.test(task.instruction) ? task.instruction : null;
    case 'spoke_as_agent':
      return 'How can I help you today?';
    case 'leaked_thought':
      return 'Thought: I should not tell too much.';
    case 'never_stopped':
      // A user cannot end a conversation that the agent transfers.
      return task.actions.some(({ name }) => pack.terminateTools.includes(name)) ? null : '';
  }
}

/** Returns an unused id of the pack's first table, with each digit of an existing one incremented. */
function inventedId(tables: IndexedTask['pack']['tables']): string | null {
  for (const records of tables.values()) {
    if (!isDict(records)) continue;
    for (const id of records.keys()) {
      const other = id.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));
      if (/\d{4}/.test(id) && !records.has(other)) return other;
    }
  }
  return null;
}

/**
 * Plays the supervisor of the verify and reflection simulators, which accepts every reply of the scripted user.
 * @returns undefined for another request
 */
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
  // The question follows the transcript in these prompts.
  const end = prompt.slice(-400);
  if (/Reflection:[\s\S]*Response:/.test(end)) {
    return `Reflection:\nThe answer should simply move the request on.\n\nResponse:\n${PHRASES.consent}`;
  }
  if (/(?:Classification|Verdict):\s*$/.test(end)) return 'true';
  if (/\btrue\b[\s\S]{0,40}\bfalse\b/i.test(end) && /classif/i.test(prompt)) return 'true';
  return undefined;
}
