/** The table of docs/fastworkflow.md that compares what strategies cost. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { toolCalling } from '../../src/agents/testing.ts';
import { readPack } from '../../src/benchmarks/testing.ts';
import { describeWithReference } from '../helpers/reference.ts';
import { callTable, type CallTable } from '../scripted-model/episodes.ts';
import { Stage, failedTasks, type Variant } from './fastworkflow-stage.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/fastworkflow.md', import.meta.url)), 'utf8');

const COLUMNS: readonly Variant[] = [
  { strategy: toolCalling, model: 'oracle' },
  { model: 'oracle' },
  { model: 'oracle+natural' },
  { strategy: toolCalling, model: 'oracle', messages: 3 },
  { model: 'oracle', messages: 3 },
];

const tenths = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1));
const whole = (value: number) => Math.round(value).toLocaleString('en-US');

const ROWS: readonly (readonly [name: string, cell: (table: CallTable) => string])[] = [
  ['environment steps', ({ steps }) => tenths(steps)],
  ['calls in all', ({ all }) => tenths(all.calls)],
  ['tokens in', ({ all }) => whole(all.promptTokens)],
  ['tokens out', ({ all }) => whole(all.completionTokens)],
];

describeWithReference('The costs on the page', (dir) => {
  const tables: CallTable[] = [];
  beforeAll(async () => {
    const stage = new Stage(await readPack(join(dir, 'retail')));
    for (const column of COLUMNS) {
      const episodes = await stage.playAll(column);
      expect(failedTasks(episodes)).toEqual([]);
      tables.push(callTable(episodes));
    }
  }, 120_000);

  it('are those of the 115 test tasks', () => {
    const section = page.slice(page.indexOf('\n## Cost\n'));
    const shown = [...section.slice(0, section.indexOf('\n## ', 1)).matchAll(/^\| (.*) \|$/gm)].map(([, row]) =>
      (row ?? '').split('|').map((cell) => cell.trim()),
    );
    expect(shown.slice(2)).toEqual(ROWS.map(([name, cell]) => [name, ...tables.map(cell)]));
  });
});
