/**
 * What the agent did in one turn, as prompts show it: a block of marked fields for each cycle.
 *
 * A cycle's texts never change once written, and each is a prompt part of its own, so that every later prompt of the
 * turn shares them.
 */

import type { PyDict } from '../../benchmark/python/index.ts';
import type { PromptPart } from '../port.ts';
import { marker } from './prompt/marker.ts';
import { readableJson } from './readable-json.ts';

/** A tool call; or, when the model chose no legal tool, only a thought or an observation. */
export interface Cycle {
  readonly thought?: string;
  readonly tool?: { readonly name: string; readonly args: PyDict };
  /** Absent while the tool is at work. */
  readonly observation?: PromptPart;
  /** What came of the tool, as a person reads it in a few words; prompts do not show it. */
  readonly outcome?: string;
}

/**
 * The cycles' fields, numbered from 0.
 * @param from leaves out the cycles before this one; the others keep their numbers
 */
export function trajectoryParts(cycles: readonly Cycle[], from = 0): PromptPart[] {
  return cycles.flatMap((cycle, i) => {
    if (i < from) return [];
    const parts: PromptPart[] = [];
    const fields: string[] = [];
    if (cycle.thought !== undefined) fields.push(`${marker(`thought_${i}`)}\n${cycle.thought}`);
    if (cycle.tool !== undefined) {
      fields.push(`${marker(`tool_name_${i}`)}\n${cycle.tool.name}`);
      fields.push(`${marker(`tool_args_${i}`)}\n${readableJson(cycle.tool.args)}`);
    }
    if (fields.length > 0) parts.push(`${fields.join('\n\n')}\n\n`);
    if (cycle.observation === undefined) return parts;
    const heading = `${marker(`observation_${i}`)}\n`;
    return typeof cycle.observation === 'string'
      ? [...parts, `${heading}${cycle.observation}\n\n`]
      : [...parts, heading, cycle.observation, '\n\n'];
  });
}
