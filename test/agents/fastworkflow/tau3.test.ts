/** The commands of τ³-bench's domains, beside tau-bench's, the tools and the tasks. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { Catalogue } from '../../../src/agents/fastworkflow/public.ts';
import { catalogueOf, catalogueText, checkCatalogue } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { writeCommand } from '../../../src/agents/index.ts';
import { classify, detect, coerceField } from '../../../src/agents/fastworkflow/testing.ts';
import { fastWorkflowData } from '../../../src/benchmarks/fastworkflow.ts';
import { dumpJson, isDict, parseJson, type PyDict } from '../../../src/benchmarks/python/index.ts';
import { dict, field, items, text } from '../../benchmarks/helpers.ts';
import { NO_TAU3, tau3Dir } from '../../helpers/tau3-folder.ts';
import { AIRLINE, RETAIL, readCommand } from './commands.ts';
import { FURTHER, TELECOM } from './tables/tau3-utterances.ts';
import { toolsIn } from './tools.ts';

const DOMAINS = ['tau3-retail', 'tau3-airline', 'tau3-telecom'] as const;

describe.each(DOMAINS)('the commands of %s', (domain) => {
  const catalogue = catalogueOf(domain);
  const { commands, find } = catalogue;

  it('refer only to commands that exist, and their examples are valid', () => {
    for (const one of commands.flatMap(({ fields }) => fields)) {
      for (const source of one.availableFrom ?? []) expect(find(source)).toBeDefined();
      const shown = [
        ...(one.examples ?? []),
        ...(one.allowed ?? []),
        ...(one.default === undefined ? [] : [one.default]),
      ];
      expect(shown.length).toBeGreaterThan(0);
      for (const example of shown) expect(coerceField(one, example)).toMatchObject({ kind: 'value' });
    }
  });

  it('have between four and six things that people say, each for one command', () => {
    const utterances = commands.flatMap((command) => command.utterances);
    expect(new Set(utterances).size).toBe(utterances.length);
    for (const { utterances: said } of commands) {
      expect(said.length).toBeGreaterThanOrEqual(4);
      expect(said.length).toBeLessThanOrEqual(6);
    }
  });

  it('have weights that were trained for them, and a prompt that reads their parameters', () => {
    const names = commands.map(({ name }) => name);
    expect(fastWorkflowData[domain]?.weights.commands).toEqual(names);
    for (const { name, fields } of commands) {
      expect(fastWorkflow.replyFields?.(name, domain)?.map((one) => one.name)).toEqual(fields.map((one) => one.name));
    }
  });

  it('say that the conversation goes on after a hand-over', () => {
    expect(find('transfer_to_human_agents')?.description).toContain('the user is told afterwards');
  });
});

describe('the commands of τ³-bench', () => {
  it.each([
    ['tau3-retail', RETAIL, 'get_item_details'],
    ['tau3-airline', AIRLINE, 'get_flight_status'],
  ])('of %s are tau-bench’s but for one, and for what a hand-over means', (domain, ofV1, further) => {
    const kept = ({ commands }: Catalogue) => commands.filter(({ name }) => name !== 'transfer_to_human_agents');
    const others = kept(catalogueOf(domain)).filter(({ name }) => name !== further);
    expect(others).toEqual(kept(ofV1));
    expect(catalogueOf(domain).commands).toHaveLength(ofV1.commands.length + 1);
  });

  it('of telecom are thirteen, with every field, its type, values and sources', () => {
    expect(catalogueText(catalogueOf('tau3-telecom'))).toMatchSnapshot();
    expect(catalogueOf('tau3-telecom').commands).toHaveLength(13);
  });
});

const SAID = [['tau3-telecom', TELECOM] as const, ...Object.entries(FURTHER)].flatMap(([domain, table]) =>
  table.flatMap(([meant, said]) => said.map((words) => ({ domain, meant, words }))),
);

describe('words in the place of a command', () => {
  const outcome = (domain: string, words: string) =>
    detect(words, { catalogue: catalogueOf(domain), learned: new Map() }, classify);

  it.each(SAID)('$domain: $words means $meant, or that is suggested', ({ domain, meant, words }) => {
    const detection = outcome(domain, words);
    if (detection.kind === 'ambiguous') expect(detection.candidates).toContain(meant);
    else expect(detection).toMatchObject({ kind: 'command', command: { name: meant } });
  });

  it('are known at once in more than eight of ten cases', () => {
    const known = SAID.filter(({ domain, meant, words }) => {
      const detection = outcome(domain, words);
      return detection.kind === 'command' || (detection.kind === 'ambiguous' && detection.candidates[0] === meant);
    });
    expect(known.length / SAID.length).toBeGreaterThan(0.8);
  });

  it.each(['hello there', 'what is the weather like today?', 'bake a cake'])('%s: mean none in telecom', (words) => {
    expect(outcome('tau3-telecom', words)).toEqual({ kind: 'misunderstood' });
  });
});

describe.skipIf(tau3Dir === null)(`beside τ³-bench's data${tau3Dir === null ? ` (${NO_TAU3})` : ''}`, () => {
  const read = (path: string) => readFileSync(join(tau3Dir ?? '', path), 'utf8');
  const TASKS = { 'tau3-retail': 550, 'tau3-airline': 142, 'tau3-telecom': 123 };

  it.each(DOMAINS)('%s has a command for every tool, with its arguments and allowed values', (domain) => {
    const catalogue = catalogueOf(domain);
    const schemas = dict(read(`golden/${domain.replace('tau3-', '')}-tools.json`)).get('assistant');
    const tools = toolsIn(dumpJson(schemas ?? []));
    expect(
      checkCatalogue(
        catalogue,
        tools.map(({ name }) => name),
        {},
      ),
    ).toEqual([]);
    for (const { name, parameters } of tools) {
      const fields = catalogue.find(name)?.fields ?? [];
      const known = parameters as readonly (readonly [string, readonly string[] | null])[];
      expect(fields.map((one) => one.name)).toEqual(known.map(([key]) => key));
      // Words of a schema's description are values of a command's field, so it may have more than the schema.
      for (const [at, [, values]] of known.entries()) {
        if (values !== null) expect(new Set(fields[at]?.allowed)).toEqual(new Set(values));
      }
    }
  });

  it.each(DOMAINS)('every call of the ground truth of %s survives being written as a command', (domain) => {
    const catalogue = catalogueOf(domain);
    const file = domain === 'tau3-telecom' ? 'telecom/tasks-base.json' : `${domain.replace('tau3-', '')}/tasks.json`;
    const calls = items(parseJson(read(file))).flatMap((task) => assistantCalls(task as PyDict));
    for (const call of calls) {
      const name = text(field(call, 'name'));
      const given = field(call, 'arguments') as PyDict;
      const { checked } = readCommand(writeCommand(name, given), catalogue);
      expect(checked.kind === 'valid' ? sorted(checked.parameters) : checked.message).toBe(sorted(given));
    }
    expect(calls).toHaveLength(TASKS[domain]);
  });

  it('telecom has invented examples', () => {
    const data = ['telecom/db.toml', 'telecom/tasks-base.json'].map(read);
    for (const { examples = [], type } of catalogueOf('tau3-telecom').commands.flatMap(({ fields }) => fields)) {
      if (type !== 'text') continue;
      for (const example of examples) expect(data.some((all) => all.includes(`"${example}"`))).toBe(false);
    }
  });
});

function assistantCalls(task: PyDict): PyDict[] {
  const criteria = task.get('evaluation_criteria');
  const calls = criteria !== undefined && isDict(criteria) ? criteria.get('actions') : null;
  return items(calls ?? []).flatMap((call) => {
    const one = call as PyDict;
    return one.get('requestor') === 'user' ? [] : [one];
  });
}

function sorted(given: PyDict): string {
  return dumpJson(new Map([...given].sort(([a], [b]) => (a < b ? -1 : 1))));
}
