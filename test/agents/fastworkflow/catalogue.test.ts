import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../../src/agents/fastworkflow/public.ts';
import {
  catalogueFor,
  catalogueOf,
  checkCatalogue,
  catalogueText,
  commandMetadata,
} from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { checkParameters, coerceField } from '../../../src/agents/fastworkflow/testing.ts';
import { ADDRESS, readCommand, RETAIL } from './commands.ts';
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
  });
});

describe('commands with defects that are brought back', () => {
  const withCompat = (...compat: string[]) => catalogueFor('retail', { compat });

  it('are made once for each set of defects', () => {
    expect(withCompat('fastworkflow-labels')).toBe(withCompat('fastworkflow-labels'));
    expect(withCompat()).toBe(catalogueOf('retail'));
    expect(withCompat('fastworkflow-labels')).not.toBe(catalogueOf('retail'));
    expect(() => catalogueFor('moon', {})).toThrow('no commands for the domain moon');
  });

  it.each(['retail', 'airline'])('say when to transfer as the fork does in %s', (domain) => {
    const rule = (...compat: string[]) =>
      catalogueFor(domain, { compat }).find('transfer_to_human_agents')?.description;
    expect(rule()).toContain('if, and only if, the request cannot be handled');
    expect(rule('fastworkflow-transfer-last-resort')).toContain('as a last resort');
  });

  it('have commands about contexts beside them', () => {
    const cored = withCompat('fastworkflow-core-commands');
    const names = ['go_up', 'reset_context', 'what_can_i_do', 'what_is_current_context'];
    expect(cored.core.map(({ name }) => name)).toEqual(names);
    for (const { name, answer } of cored.core) {
      expect(cored.find(name)).toBeUndefined();
      if (name !== 'what_can_i_do') expect(answer).toContain('global');
      expect(catalogueText(cored)).toContain(`\n\n- ${name}: `);
      expect(catalogueText(RETAIL)).not.toContain(name);
    }
    expect(cored.commands).toHaveLength(15);
  });

  it('are shown in the form of FastWorkflow, which hides names and rules', () => {
    // The variants give the list that the fork prints for its retail workflow, in this project's own words.
    const compat = ['fastworkflow-legacy-catalogue', 'fastworkflow-core-commands', 'fastworkflow-transfer-last-resort'];
    const text = catalogueText(withCompat(...compat), { compat });
    expect(text).toMatchSnapshot();
    expect(text.split('\n')).toHaveLength(185);
    const shown = text.split('\n\n').filter((part) => /^ {2}(?!inputs:|outputs:|- )\S/m.test(part));
    expect(shown.map((part) => /- (\w+)/.exec(part)?.[1])).toEqual([
      'find_user_id_by_name_zip',
      'go_up',
      'reset_context',
      'transfer_to_human_agents',
      'what_can_i_do',
      'what_is_current_context',
    ]);
    for (const name of ['address1', 'item_ids', 'required', 'optional']) expect(text).not.toContain(name);
    expect(readCommand(`modify_user_address <user_id>a_b_1</user_id> ${ADDRESS}`).checked.kind).toBe('valid');
  });
});

describe('the metadata of some commands', () => {
  it('is their part of the catalogue, in the order asked for', () => {
    const text = commandMetadata(RETAIL, ['get_user_details', 'nonsense', 'calculate']);
    expect(text.match(/^- \w+/gm)).toEqual(['- get_user_details', '- calculate']);
    for (const part of text.split('\n\n')) expect(catalogueText(RETAIL)).toContain(part);
    const compat = ['fastworkflow-legacy-catalogue'];
    expect(commandMetadata(RETAIL, ['calculate'], { compat })).not.toContain('expression:');
    expect(catalogueText(RETAIL, { compat })).toContain(commandMetadata(RETAIL, ['calculate'], { compat }));
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

it('does not change its arguments', () => {
  const command = find('cancel_pending_order');
  if (command === undefined) throw new Error('no cancel_pending_order');
  const raw = new Map([['order_id', 'W1']]);
  checkParameters(command, raw);
  expect(raw).toEqual(new Map([['order_id', 'W1']]));
});

function shipped(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../data/retail/${name}`, import.meta.url)), 'utf8');
}
