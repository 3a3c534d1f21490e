/**
 * An episode's conversation as Markdown, to download or to paste into an issue. Texts of models, users and tools are in
 * code fences that they cannot close, so that they are not read as markup. Pure.
 */

import { NONE, facts, formatReward, formatUsd, heading, renderMarkdown } from '../../results/document/index.ts';
import { RESPOND } from '../../benchmarks/index.ts';
import type { EpisodeNote } from '../../run-log/index.ts';
import type { PayloadStep } from '../data/payload.ts';
import type { ReadEpisode } from '../data/episodes.ts';

/** @param runId names the run, or the results file */
export function episodeMarkdown(runId: string, { row, conversation }: ReadEpisode, note: EpisodeNote | null): string {
  const { taskId, trial, reward, outcome, costUsd, steps } = row;
  const { instruction, opening, unread, faults, workflowId } = conversation;
  const head = renderMarkdown([
    heading(`Task ${taskId}, trial ${trial}`),
    facts([
      ['run', runId],
      ['reward', formatReward(reward)],
      ['outcome', outcome.replaceAll('_', ' ')],
      ['steps', steps === null ? NONE : String(steps)],
      ['cost', formatUsd(costUsd)],
      ['workflow', workflowId],
    ]),
  ]);
  return [
    head.trimEnd(),
    ...(row.error === null ? [] : ['## Error', fenceText(row.error)]),
    ...(note === null ? [] : ['## Note', ...noteParts(note)]),
    '## Instruction',
    fenceText(instruction),
    ...(faults.length === 0 ? [] : ['## Faults', ...faults.flatMap(faultParts)]),
    '## Conversation',
    ...(opening === null ? [] : ['**User**', fenceText(opening)]),
    ...conversation.steps.flatMap(stepParts),
    ...(unread === null ? [] : ['**Agent, without an action**', fenceText(unread)]),
    '',
  ].join('\n\n');
}

function noteParts({ labels, text }: EpisodeNote): string[] {
  return [...(labels.length === 0 ? [] : [labels.map(codeSpan).join(', ')]), ...(text === '' ? [] : [fenceText(text)])];
}

function faultParts({ sentence, step }: ReadEpisode['conversation']['faults'][number]): string[] {
  return [step === null ? 'Without a step:' : `Step ${step}:`, fenceText(sentence)];
}

function stepParts({ index, name, text, thought, observation, userCalls }: PayloadStep): string[] {
  const isReply = name === RESPOND;
  return [
    `### Step ${index}: ${isReply ? 'reply' : codeSpan(name)}`,
    ...(thought === null ? [] : ['**Agent, beside the action**', fenceText(thought)]),
    isReply ? '**Agent**' : '**Arguments**',
    fenceText(text),
    ...userCalls.flatMap((call) => [
      `**User’s tool** ${codeSpan(call.name)}`,
      fenceText(call.text),
      ...(call.observation === null ? [] : [fenceText(call.observation)]),
    ]),
    ...(observation === null ? [] : [isReply ? '**User**' : '**Observation**', fenceText(observation)]),
  ];
}

/** Puts a text into a code fence with one more backtick than any row of backticks in the text. */
function fenceText(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

const MOST_NAME_CHARS = 80;

function codeSpan(text: string): string {
  const line = text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MOST_NAME_CHARS);
  const ticks = '`'.repeat(longestTicks(line) + 1);
  return `${ticks} ${line} ${ticks}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
}
