/**
 * Understands a command, asking a model where words alone do not tell what is meant: runs the state machine, performs
 * what it asks for, and keeps the counts and the story.
 */

import type { StoryLine } from '../../port.ts';
import type { Turn, Workshop } from '../state.ts';
import { askClarifier } from './clarification.ts';
import { askRanker } from './intent/llm-ranker.ts';
import { rankByWords } from './intent/ranker.ts';
import { transition } from './machine.ts';
import { extractParameters } from './parameters/extraction.ts';
import type { CmeContext, CmeEffect, CmeEvent, CmeNote } from './stages/step.ts';
import { START } from './stages/step.ts';
import type { CommandPlan } from './types.ts';

/**
 * @param turn what the agent is working on; the clarifier reads it
 * @param command what the agent wrote
 */
export async function understand(shop: Workshop, turn: Turn, command: string): Promise<CommandPlan> {
  const { catalogue, memory, options, classifier = rankByWords } = shop;
  const context: CmeContext = { catalogue, learned: memory.learned, options, classifier };
  let event: CmeEvent = { kind: 'command', text: command };
  try {
    for (;;) {
      const step = transition(memory.stage, event, context);
      memory.stage = step.stage;
      for (const note of step.notes) take(shop, note);
      if (step.effect.kind === 'done') return step.effect.plan;
      event = await perform(shop, turn, step.effect);
    }
  } catch (error) {
    // Nothing of a command that went wrong is left to the next one.
    memory.stage = START;
    throw error;
  }
}

async function perform(
  shop: Workshop,
  turn: Turn,
  effect: Exclude<CmeEffect, { readonly kind: 'done' }>,
): Promise<CmeEvent> {
  switch (effect.kind) {
    case 'ask_ranker': {
      const { text, among } = effect;
      return { kind: 'ranked', text, among, ranking: await askRanker(shop, text) };
    }
    case 'ask_clarifier':
      shop.session.count('clarifications');
      return { kind: 'clarified', clarification: await askClarifier(shop, turn, effect) };
    case 'ask_extraction': {
      shop.session.count('extractions');
      const { command, statement, found } = effect;
      return { kind: 'extracted', parameters: await extractParameters(shop, command, statement, found) };
    }
  }
}

function take({ session, memory }: Workshop, note: CmeNote): void {
  switch (note.kind) {
    case 'recognised': {
      session.count(`intent_${note.tier}`);
      const line = recognitionLine(note);
      if (line !== null) session.tell(line);
      return;
    }
    case 'misunderstood':
      return session.count('intent_misunderstood');
    case 'escalated':
      return session.count('escalations');
    case 'learned':
      memory.learned.set(note.utterance, note.commandName);
      return;
    case 'parameter_error':
      return session.count('parameter_errors');
    case 'example_values':
      return session.count('example_values', note.values);
  }
}

/** A name that was written in full, or whose beginning was, needs no telling. */
function recognitionLine({ tier, commandName }: Extract<CmeNote, { kind: 'recognised' }>): StoryLine | null {
  switch (tier) {
    case 'exact':
    case 'prefix':
      return null;
    case 'fuzzy':
      return { what: 'note', text: `A mistyped name was taken as ${commandName}.` };
    case 'learned':
      return { what: 'note', text: `Understood as ${commandName}, as clarified before.` };
    case 'ranked':
      return { what: 'note', text: `Understood as ${commandName}, by its likeness.` };
    case 'clarified':
      return { what: 'clarification', text: `It was meant as ${commandName}.` };
  }
}
