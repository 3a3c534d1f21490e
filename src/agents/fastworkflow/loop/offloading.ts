/**
 * Shortens long turns. If a turn's trajectory is longer than its share of the prompt, a line replaces the oldest
 * observations of commands one by one until the trajectory fits. The prompt for the answer shows all observations in
 * full.
 */

import type { Cycle } from '../context.ts';
import { trajectoryParts } from '../prompts/ask.ts';
import { ARGUMENTS } from '../prompts/signatures.ts';

/**
 * Most characters of a trajectory. The original allows its whole prompt 28,000 bytes with a window of 131,072 tokens;
 * its instructions and the retail example's commands take about half.
 */
const MOST_CHARS = 14_000;
/** Number of the newest observations of commands that are never replaced. */
const KEPT = 5;
/** Fewest characters that a replacement must save. */
const LEAST_SAVED = 1_024;
/** Number of an observation's characters that its label quotes. */
const QUOTED = 200;

/** @param cycles cycles of a turn; replaced observations get a label */
export function offloadObservations(cycles: Cycle[]): void {
  let length = countChars(cycles);
  if (length <= MOST_CHARS) return;
  const commands = [...cycles.keys()].filter((at) => cycles[at]?.tool?.name === 'execute_workflow_query');
  for (const at of commands.slice(0, -KEPT)) {
    const cycle = cycles[at];
    if (cycle === undefined || cycle.label !== undefined || typeof cycle.observation !== 'string') continue;
    const label = formatLabel(cycle, cycle.observation);
    const saved = cycle.observation.length - label.length;
    if (saved < LEAST_SAVED) continue;
    cycles[at] = { ...cycle, label };
    length -= saved;
    if (length <= MOST_CHARS) return;
  }
}

function countChars(cycles: readonly Cycle[]): number {
  return trajectoryParts(cycles).reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
}

function formatLabel({ tool }: Cycle, observation: string): string {
  const command = tool?.args.get(ARGUMENTS.execute_workflow_query);
  const name = typeof command === 'string' ? command.trim().slice(0, QUOTED) : 'a command';
  return (
    `The result of ${name} is left out here to save space. It begins with: ${observation.trimStart().slice(0, QUOTED)} … ` +
    'You will have it in full when you write the answer.'
  );
}
