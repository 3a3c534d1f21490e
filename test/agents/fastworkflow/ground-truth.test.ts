import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogueFor } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import type { Catalogue } from '../../../src/agents/fastworkflow/public.ts';
import { exampleValues } from '../../../src/agents/fastworkflow/testing.ts';
import { writeCommand } from '../../../src/agents/index.ts';
import {
  dumpJson,
  parseJson,
  isDict,
  isList,
  type PyDict,
  type PyValue,
} from '../../../src/benchmarks/python/index.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { AIRLINE, readCommand, RETAIL } from './commands.ts';

const SHIPPED = fileURLToPath(new URL('../../../data/retail', import.meta.url));

describe('the ground truth of the shipped pack', () => {
  it.each(['test', 'dev'])('of the %s split survives being written as commands', (split) => {
    expect(roundTrips(RETAIL, join(SHIPPED, `tasks-${split}.json`))).toBeGreaterThan(20);
  });
});

describeWithReference('the ground truth of tau-bench', (dir) => {
  it.each(['test', 'dev'])('for retail, %s split, survives being written as commands', (split) => {
    expect(roundTrips(RETAIL, join(dir, `retail/tasks-${split}.json`))).toBeGreaterThan(20);
  });

  it('shows which commands FastWorkflow takes for copied examples', () => {
    const file = join(dir, 'retail/tasks-test.json');
    expect(refusals(RETAIL, file)).toEqual({ cancel_pending_order: '25/25' });
    expect(refusals(catalogueFor('retail', { compat: ['fastworkflow-example-refusal'] }), file)).toEqual({
      cancel_pending_order: '25/25',
      get_product_details: '3/73',
      modify_pending_order_address: '24/24',
      modify_user_address: '11/11',
    });
  });

  it('for airline, test split, survives being written as commands', () => {
    expect(roundTrips(AIRLINE, join(dir, 'airline/tasks-test.json'))).toBe(158);
  });
});

/** Writes every ground-truth action that is a command, reads it again, and counts them. */
function roundTrips(catalogue: Catalogue, tasksFile: string): number {
  let count = 0;
  for (const { name, kwargs } of actions(catalogue, tasksFile)) {
    const { checked, statement } = readCommand(writeCommand(name, kwargs), catalogue);
    expect(checked.kind === 'valid' ? inOrder(checked.parameters) : checked.message).toBe(inOrder(kwargs));
    expect(statement).toBe('');
    count++;
  }
  return count;
}

/** Counts, by command, the actions with a value that is an example, and all of its actions; commands without are left out. */
function refusals(catalogue: Catalogue, tasksFile: string): Record<string, string> {
  const counts = new Map<string, { refused: number; all: number }>();
  for (const { name, kwargs } of actions(catalogue, tasksFile)) {
    const command = catalogue.find(name);
    const count = counts.get(name) ?? { refused: 0, all: 0 };
    count.all++;
    if (command !== undefined && exampleValues(command, kwargs) > 0) count.refused++;
    counts.set(name, count);
  }
  const told = [...counts].filter(([, { refused }]) => refused > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(told.map(([name, { refused, all }]) => [name, `${String(refused)}/${String(all)}`]));
}

function actions(catalogue: Catalogue, tasksFile: string): { name: string; kwargs: PyDict }[] {
  return dictsOf(parseJson(readFileSync(tasksFile, 'utf8'))).flatMap((task) =>
    dictsOf(task.get('actions')).flatMap((action) => {
      const name = action.get('name');
      const kwargs = action.get('kwargs');
      return typeof name === 'string' && isDict(kwargs) && catalogue.find(name) !== undefined ? [{ name, kwargs }] : [];
    }),
  );
}

function dictsOf(value: PyValue | undefined): PyDict[] {
  return isList(value) ? value.filter((item) => isDict(item)) : [];
}

function inOrder(kwargs: PyDict): string {
  return dumpJson(new Map([...kwargs].sort(([a], [b]) => (a < b ? -1 : 1))));
}
