/** Conversations with a user who behaves, made from tasks: the instruction in the first person, bit by bit. */

import type { AnalyzedEpisode } from '../../../src/analysis/index.ts';
import type { AnalyzedStep } from '../../../src/analysis/testing.ts';
import {
  getDomain,
  replayStep,
  openOverlay,
  RESPOND,
  STOP_MARKER,
  type Action,
  type Task,
} from '../../../src/benchmarks/index.ts';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import type { Pack } from '../../../src/benchmarks/testing.ts';

export function episodeOf(
  task: Task,
  opening: string,
  steps: readonly AnalyzedStep[],
  outcome = 'user_stop',
): AnalyzedEpisode {
  return { task, opening, steps, outcome, reward: 1, unreadable: null, error: null };
}

export function exchange(agent: string, user: string): AnalyzedStep {
  return { action: { name: RESPOND, kwargs: new Map([['content', agent]]) }, observation: user };
}

export function isExchange({ action }: AnalyzedStep): boolean {
  return action.name === RESPOND;
}

/** Every sentence of the instruction is said once; every change is announced, with its arguments, and agreed to. */
export function behavedEpisode(pack: Pack, task: Task): AnalyzedEpisode {
  const writes = getDomain(pack.domain).audit?.writes ?? [];
  const state = openOverlay(pack);
  const steps = sentencesOf(task.instruction).map((sentence) =>
    exchange('I see. Could you tell me more about it?', inFirstPerson(sentence)),
  );
  for (const action of task.actions) {
    if (pack.terminateTools.includes(action.name)) continue;
    if (writes.includes(action.name)) steps.push(exchange(announcement(action), 'Yes, please go ahead.'));
    const taken = replayStep(pack, state, action, () => '');
    if (taken.kind !== 'raised') steps.push({ action, observation: taken.observation });
  }
  const outputs = task.outputs.join('; ');
  steps.push(
    exchange(
      `All of that is done. ${outputs} Is there anything else I can help you with?`,
      `No, thanks! ${STOP_MARKER}`,
    ),
  );
  return episodeOf(task, 'Hello, I would like some help, please.', steps);
}

function announcement({ kwargs }: Action): string {
  const values = Array.from(kwargs.values(), (value) => dumpJson(value));
  return `I would make this change: ${values.join(', ')}. Do you confirm (yes or no)?`;
}

export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?;,])\s+/).filter((sentence) => sentence.trim() !== '');
}

const PERSONS: readonly (readonly [RegExp, string])[] = [
  [/\byou are\b/gi, 'I am'],
  [/\byou're\b/gi, "I'm"],
  [/\byou've\b/gi, "I've"],
  [/\byourself\b/gi, 'myself'],
  [/\byours\b/gi, 'mine'],
  [/\byour\b/gi, 'my'],
  [/\byou\b/gi, 'I'],
];

export function inFirstPerson(sentence: string): string {
  return PERSONS.reduce((text, [pattern, word]) => text.replace(pattern, word), sentence);
}
