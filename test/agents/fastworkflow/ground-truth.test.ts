import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../src/agents/fastworkflow/catalogue/catalogue.ts';
import { catalogueFor } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import type { Catalogue, FieldDefinition, FieldType } from '../../../src/agents/fastworkflow/catalogue/types.ts';
import { exampleValues } from '../../../src/agents/fastworkflow/cme/parameters/examples.ts';
import { writeCommand } from '../../../src/agents/fastworkflow/cme/parameters/xml.ts';
import { dumpJson, parseJson } from '../../../src/bench/python/json.ts';
import { isDict, isList, type PyDict, type PyValue } from '../../../src/bench/python/value.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { readCommand, RETAIL } from './commands.ts';

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

  it('for airline survives too, with commands made of its tools', () => {
    const catalogue = catalogueOfTools(join(dir, 'airline/tools.json'));
    expect(roundTrips(catalogue, join(dir, 'airline/tasks-test.json'))).toBeGreaterThan(50);
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

/** By command: how many of its actions have a value that is an example, of how many; commands without are left out. */
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

const TYPES: Readonly<Record<string, FieldType>> = { integer: 'integer', number: 'number', boolean: 'boolean' };

/** A command for each tool, of what the tool's schema says. */
function catalogueOfTools(toolsFile: string): Catalogue {
  const tools = dictsOf(parseJson(readFileSync(toolsFile, 'utf8'))).map((tool) => dictAt(tool, 'function'));
  return createCatalogue(
    tools.map((tool) => {
      const required = dictAt(tool, 'parameters').get('required');
      const properties = dictAt(dictAt(tool, 'parameters'), 'properties');
      const fields = Array.from(properties, ([name, schema]): FieldDefinition => {
        if (!isDict(schema)) throw new Error(`${name} has no schema`);
        const allowed = schema.get('enum');
        return {
          name,
          description: name,
          type: typeOf(schema),
          required: isList(required) && required.includes(name),
          ...(isList(allowed) ? { allowed: allowed.filter((value) => typeof value === 'string') } : {}),
        };
      });
      return { name: textAt(tool, 'name'), description: '', utterances: [], context: '*', label: '', fields };
    }),
  );
}

function typeOf(schema: PyDict): FieldType {
  if (textAt(schema, 'type') === 'array') return dictAt(schema, 'items').get('type') === 'string' ? 'list' : 'json';
  return TYPES[textAt(schema, 'type')] ?? 'text';
}

function dictAt(dict: PyDict, key: string): PyDict {
  const value = dict.get(key);
  if (!isDict(value)) throw new Error(`${key} is no object`);
  return value;
}

function textAt(dict: PyDict, key: string): string {
  const value = dict.get(key);
  if (typeof value !== 'string') throw new Error(`${key} is no text`);
  return value;
}

function dictsOf(value: PyValue | undefined): PyDict[] {
  return isList(value) ? value.filter((item) => isDict(item)) : [];
}

function inOrder(kwargs: PyDict): string {
  return dumpJson(new Map([...kwargs].sort(([a], [b]) => (a < b ? -1 : 1))));
}
