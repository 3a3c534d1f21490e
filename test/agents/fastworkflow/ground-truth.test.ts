import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../../../src/agents/fastworkflow/public.ts';
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
