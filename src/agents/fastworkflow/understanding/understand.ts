/**
 * Understands a command: runs the state machine, asks a model where it requires one, and keeps the counts and the live
 * transcript.
 */

import type { TranscriptLine, StrategyOptions } from '../../port.ts';
import type { AgentContext, Turn } from '../context.ts';
import { askClarifier, askRanker, extractParameters } from './model-calls.ts';
import { rankByWords } from './ranking.ts';
import { transition } from './machine.ts';
import {
  START,
  type CmeContext,
  type CmeEffect,
  type CmeEvent,
  type CmeNote,
  type CmeStage,
  type CommandPlan,
  type IntentClassifier,
} from './types.ts';
import type { Catalogue } from '../catalogue/definitions.ts';

/**
 * @param turn what the agent is working on; the clarifier reads it
 * @param command what the agent wrote
 */
export async function understand(agent: AgentContext, turn: Turn, command: string): Promise<CommandPlan> {
  const { catalogue, memory, options, classifier = rankByWords } = agent;
  const context: CmeContext = { catalogue, learned: memory.learned, options, classifier };
  let event: CmeEvent = { kind: 'command', text: command };
  try {
    for (;;) {
      const step = transition(memory.stage, event, context);
      memory.stage = step.stage;
      for (const note of step.notes) recordNote(agent, note);
      if (step.effect.kind === 'done') return step.effect.plan;
      event = await perform(agent, turn, step.effect);
    }
  } catch (error) {
    // Nothing of a command that went wrong is left to the next one.
    memory.stage = START;
    throw error;
  }
}

async function perform(
  agent: AgentContext,
  turn: Turn,
  effect: Exclude<CmeEffect, { readonly kind: 'done' }>,
): Promise<CmeEvent> {
  switch (effect.kind) {
    case 'ask_ranker': {
      const { text, among } = effect;
      return { kind: 'ranked', text, among, ranking: await askRanker(agent, text) };
    }
    case 'ask_clarifier':
      agent.session.count('clarifications');
      return { kind: 'clarified', clarification: await askClarifier(agent, turn, effect) };
    case 'ask_extraction': {
      agent.session.count('extractions');
      const { command, statement, found } = effect;
      return { kind: 'extracted', parameters: await extractParameters(agent, command, statement, found) };
    }
  }
}

function recordNote({ session, memory }: AgentContext, note: CmeNote): void {
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

/** A name that was written in full or abbreviated needs no line. */
function recognitionLine({ tier, commandName }: Extract<CmeNote, { kind: 'recognised' }>): TranscriptLine | null {
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

interface PlanOptions extends Pick<StrategyOptions, 'compat'> {
  /** @default similarity of words */
  readonly classifier?: IntentClassifier;
}

export function plan(catalogue: Catalogue, command: string, options: PlanOptions = {}): CommandPlan {
  const { classifier = rankByWords, compat = [] } = options;
  const context: CmeContext = { catalogue, learned: new Map(), options: { compat }, classifier };
  let stage: CmeStage = START;
  let event: CmeEvent = { kind: 'command', text: command };
  for (;;) {
    const step = transition(stage, event, context);
    const { effect } = step;
    switch (effect.kind) {
      case 'done':
        return effect.plan;
      case 'ask_clarifier': {
        const candidates = effect.candidates ?? catalogue.commands.map(({ name }) => name);
        return { kind: 'clarification', message: effect.message, candidates };
      }
      case 'ask_ranker':
        event = { kind: 'ranked', text: effect.text, among: effect.among, ranking: null };
        break;
      case 'ask_extraction':
        // Without a model, what stands in tags is all there is.
        event = { kind: 'extracted', parameters: effect.found };
        break;
    }
    stage = step.stage;
  }
}
