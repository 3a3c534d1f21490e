/** How tool descriptions are put together, and what the tools that all domains have say about themselves. */

import type { Dumpable } from '../../benchmark/python/index.ts';

export type Parameter = Readonly<Record<string, unknown>>;

type ToolText = readonly [description: string, parameters: Readonly<Record<string, Parameter>>];

/** Tool → what it does, and its parameters in order; all are required. */
export type ToolTexts = Readonly<Record<string, ToolText>>;

export const text = (description: string): Parameter => ({ type: 'string', description });

export const common = {
  calculate: [
    'Works out an arithmetic expression and gives the result rounded to two decimals.',
    {
      expression: text(
        "What to work out, for example '19.5 + 2 * 4'. Numbers, + - * /, brackets, points and spaces may occur in it.",
      ),
    },
  ],
  think: [
    'Notes a thought down for yourself. Nothing is looked up and nothing changes; use it to put facts in order before you decide.',
    { thought: text('The thought.') },
  ],
  transfer: [
    'Hands the customer over to a colleague and ends your part. Only for requests that lie outside of your tools and your policy.',
    { summary: text('What the colleague has to know, in a sentence or two.') },
  ],
} as const satisfies ToolTexts;

/** The content of `tools.json`. */
export function functionSchemas(tools: ToolTexts): Dumpable {
  return Object.entries(tools).map(([name, [description, properties]]) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: { type: 'object', properties, required: Object.keys(properties) },
    },
  }));
}

/** The content of `terminate_tools.json` in every domain. */
export const TERMINATE_TOOLS: readonly string[] = ['transfer_to_human_agents'];
