/** The figures as a table in Markdown, as `docs/comparison.md` shows them. */

import type { CrashFigures, ToolFigures } from './index.ts';

const LINES: readonly (readonly [string, (figures: ToolFigures) => string | number])[] = [
  ['model calls, undisturbed', ({ calls_undisturbed: calls }) => calls],
  ['model calls paid again', ({ calls_paid_again: again }) => again],
  ['episodes scored 0 by a failure', ({ scored_zero: zero }) => zero],
  ['finished episodes whose result was lost', ({ results_lost: lost }) => lost],
  ['commands that a person typed', ({ commands }) => commands],
  ['of these, with a list of tasks made by hand', ({ commands_listed_by_hand: listed }) => listed],
  ['time, undisturbed', ({ seconds_undisturbed: seconds }) => `${seconds} s`],
  ['time', ({ seconds }) => `${seconds} s`],
  ['episodes with reward 1 at the end', ({ solved }) => solved],
];

export function formatCrashes({ tools }: CrashFigures): string {
  const rows = [
    ['', ...tools.map(({ tool }) => `\`${tool}\``)],
    ['---', ...tools.map(() => '--:')],
    ...LINES.map(([name, read]) => [name, ...tools.map((figures) => String(read(figures)))]),
  ];
  const versions = tools.map(({ tool, version }) => `${tool}: ${version}`);
  return [...rows.map((cells) => `| ${cells.join(' | ')} |`), '', ...versions].join('\n');
}
