import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../src/agents/fastworkflow/public.ts';
import {
  catalogueOf,
  checkCatalogue,
  catalogueText,
  commandMetadata,
} from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { checkParameters, coerceField } from '../../../src/agents/fastworkflow/testing.ts';
import { RETAIL } from './commands.ts';
import { toolsIn } from './tools.ts';

const { commands: COMMANDS, find } = RETAIL;
const FIELDS = COMMANDS.flatMap((command) => command.fields);

describe('the commands of retail', () => {
  it('are fifteen, with every field, its type, values and sources', () => {
    expect(COMMANDS).toHaveLength(15);
    expect(catalogueText(RETAIL)).toMatchSnapshot();
  });

  it('have the names, arguments and allowed values of the tools', () => {
    for (const { name, parameters } of toolsIn(shipped('tools.json'))) {
      const command = find(name);
      if (command === undefined) {
        expect(RETAIL.withoutCommand).toContain(name);
        continue;
      }
      expect(command.fields.map((field) => [field.name, field.allowed ?? null])).toEqual(parameters);
      expect(command.fields.every((field) => field.required)).toBe(true);
    }
  });

  it('refer only to commands that exist, and their examples are valid', () => {
    for (const field of FIELDS) {
      for (const source of field.availableFrom ?? []) expect(find(source)).toBeDefined();
      const shown = [...(field.examples ?? []), ...(field.allowed ?? [])];
      expect(shown.length).toBeGreaterThan(0);
      for (const example of shown) expect(coerceField(field, example)).toMatchObject({ kind: 'value' });
    }
  });

  it('have invented examples: neither users nor products, orders or tasks of the benchmark have them', () => {
    const data = ['users', 'orders', 'products', 'tasks-test', 'tasks-dev'].map((name) => shipped(`${name}.json`));
    for (const { type, examples = [] } of FIELDS) {
      if (type === 'list') continue;
      for (const example of examples) expect(data.some((text) => text.includes(`"${example}"`))).toBe(false);
    }
  });

  it('have four to six utterances each, none of them twice', () => {
    const utterances = COMMANDS.flatMap((command) => command.utterances);
    expect(new Set(utterances).size).toBe(utterances.length);
    for (const command of COMMANDS) {
      expect(command.utterances.length).toBeGreaterThanOrEqual(4);
      expect(command.utterances.length).toBeLessThanOrEqual(6);
    }
  });

  it('are found in any case', () => {
    expect(find('Get_Order_Details')?.name).toBe('get_order_details');
    expect(find('think')).toBeUndefined();
    expect(() => catalogueOf('moon')).toThrow('no commands for the domain moon');
  });
});

describe('the metadata of some commands', () => {
  it('is their part of the catalogue, in the order asked for', () => {
    const text = commandMetadata(RETAIL, ['get_user_details', 'nonsense', 'calculate']);
    expect(text.match(/^- \w+/gm)).toEqual(['- get_user_details', '- calculate']);
    for (const part of text.split('\n\n')) expect(catalogueText(RETAIL)).toContain(part);
  });
});

describe('a catalogue and the tools of an environment', () => {
  const tools = [...COMMANDS.map(({ name }) => name), 'think'];

  it('match for retail', () => {
    expect(
      checkCatalogue(
        RETAIL,
        toolsIn(shipped('tools.json')).map(({ name }) => name),
        {},
      ),
    ).toEqual([]);
  });

  it('may have different names for the same thing', () => {
    const renamed = tools.map((name) => (name === 'calculate' ? 'compute' : name));
    expect(checkCatalogue(RETAIL, renamed, { calculate: 'compute' })).toEqual([]);
    expect(checkCatalogue(RETAIL, renamed, {})).toEqual([
      'The environment has no tool for the command calculate, so every calculate fails: ' +
        'name its tool in the tool-name map, if it has another name.',
      "The environment's tool compute has no command, so the agent cannot use it: " +
        'add it to the catalogue, or name it in the tool-name map, if a command is meant for it.',
    ]);
  });

  it('report names in the map that neither has', () => {
    expect(checkCatalogue(RETAIL, tools, { calc: 'calculate', calculate: 'compute' })).toEqual([
      'The tool-name map says that calc is the tool calculate, but there is no command calc: ' +
        'correct the name or leave the entry out.',
      'The tool-name map says that calculate is the tool compute, which the environment does not have: ' +
        'correct the name, else every calculate fails.',
      "The environment's tool calculate has no command, so the agent cannot use it: " +
        'add it to the catalogue, or name it in the tool-name map, if a command is meant for it.',
    ]);
  });

  it('know from the catalogue which tools need no command', () => {
    const bare = createCatalogue(COMMANDS);
    expect(checkCatalogue(bare, tools, {})).toHaveLength(1);
    expect(checkCatalogue(createCatalogue(COMMANDS, { withoutCommand: ['think'] }), tools, {})).toEqual([]);
  });
});

it('checking parameters does not change them', () => {
  const command = find('cancel_pending_order');
  if (command === undefined) throw new Error('no cancel_pending_order');
  const raw = new Map([['order_id', 'W1']]);
  checkParameters(command, raw);
  expect(raw).toEqual(new Map([['order_id', 'W1']]));
});

function shipped(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../data/retail/${name}`, import.meta.url)), 'utf8');
}
