/** Effect of FastWorkflow's variants on a model that knows the tasks: what each one costs, in tasks, calls and tokens. */

import { FASTWORKFLOW_COMPAT } from '../../../src/agents/fastworkflow/public.ts';
import { callTable } from '../../scripted-model/episodes.ts';
import type { Graded, Stage, Variant } from '../fastworkflow-stage.ts';

/** Runs without any variant, and with those that are flags of their own. */
const OTHERS: Readonly<Record<string, Variant>> = {
  none: {},
  '--omit-policy': { options: { omitPolicy: true } },
  '--max-steps 100': { maxSteps: 100 },
};

const NAMES = Object.keys(FASTWORKFLOW_COMPAT);

export const VARIANTS: Readonly<Record<string, Variant>> = {
  ...OTHERS,
  ...Object.fromEntries(NAMES.map((name) => [name, { options: { compat: [name] } }])),
  // With it nearly every episode counts as solved.
  'all but double grading': {
    options: { omitPolicy: true, compat: NAMES.filter((name) => name !== 'fastworkflow-double-grading') },
  },
};

/** Loose wording, then exact commands. */
const MODELS = ['oracle+natural', 'oracle'] as const;

const COLUMNS: readonly (readonly [head: string, cell: (episodes: readonly Graded[]) => string])[] = [
  ['solved', (episodes) => String(episodes.filter(({ reward }) => reward === 1).length)],
  ['calls in all', (episodes) => callTable(episodes).all.calls.toFixed(1)],
  ['tokens in', (episodes) => Math.round(callTable(episodes).all.promptTokens).toLocaleString('en-US')],
];

/** The first two lines of the table. */
export function tableHead(): readonly [head: string, rule: string] {
  const columns = MODELS.flatMap((model) => COLUMNS.map(([head], at) => (at === 0 ? `\`${model}\`: ${head}` : head)));
  return [line(['variant', ...columns]), line(['---', ...columns.map(() => '---:')])];
}

/** A line of the table: the stage's test tasks played with each model. All but the tasks solved are means per episode. */
export async function tableLine(stage: Stage, name: string): Promise<string> {
  const cells: string[] = [];
  for (const model of MODELS) {
    const episodes = await stage.playAll({ ...VARIANTS[name], model });
    cells.push(...COLUMNS.map(([, cell]) => cell(episodes)));
  }
  return line([/^(?:none|all )/.test(name) ? name : `\`${name}\``, ...cells]);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
