/**
 * Understands a command: runs the state machine, asks a model where it requires one, and keeps the counts and the live
 * transcript.
 */

import type { StoryLine } from '../../port.ts';
import type { Turn, AgentContext } from '../context.ts';
import { askClarifier, askRanker, extractParameters } from './model-calls.ts';
import { rankByWords } from './ranking.ts';
import { transition } from './machine.ts';
import { START, type CmeContext, type CmeEffect, type CmeEvent, type CmeNote, type CommandPlan } from './types.ts';

/**
 * @param turn what the agent is working on; the clarifier reads it
 * @param command what the agent wrote
 */
export async function understand(shop: AgentContext, turn: Turn, command: string): Promise<CommandPlan> {
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
  shop: AgentContext,
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

function take({ session, memory }: AgentContext, note: CmeNote): void {
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
