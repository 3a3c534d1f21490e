import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCatalogue, catalogueText } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { coerceField, extractionMessages } from '../../../src/agents/fastworkflow/testing.ts';
import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { OPTIONS } from '../fake-session.ts';
import { AIRLINE, planned, problem } from './commands.ts';
import { toolsIn } from './tools.ts';

const { commands: COMMANDS, find } = AIRLINE;
const FIELDS = COMMANDS.flatMap((command) => command.fields);

describe('the commands of airline', () => {
  it('are thirteen, with every field, its type, values and sources', () => {
    expect(COMMANDS).toHaveLength(13);
    const text = catalogueText(AIRLINE);
    expect(text).toMatchSnapshot();
    for (const { name, type } of FIELDS) expect(text).toContain(`    ${name} (${type}, required`);
  });

  it('refer only to commands that exist, and their examples are valid', () => {
    for (const command of COMMANDS) {
      for (const field of command.fields) {
        for (const source of field.availableFrom ?? []) expect(find(source)).toBeDefined();
        const shown = [...(field.examples ?? []), ...(field.allowed ?? [])];
        expect(shown.length).toBeGreaterThan(0);
        for (const example of shown) expect(coerceField(field, example)).toMatchObject({ kind: 'value' });
      }
    }
  });

  it('accept a command that is made of their examples', () => {
    for (const { name, fields } of COMMANDS) {
      const tags = fields.map((field) => {
        const value = field.examples?.[0] ?? field.allowed?.[0] ?? '';
        return `<${field.name}>${value}</${field.name}>`;
      });
      expect(planned([name, ...tags].join(' '), AIRLINE)).toMatch(new RegExp(`^${name} \\{`));
    }
  });

  it('need no value that only their own result has', () => {
    const sourcesOf = (name: string) => find(name)?.fields.flatMap((field) => field.availableFrom ?? []) ?? [];
    const needs = (name: string, path: readonly string[]): void => {
      expect(path).not.toContain(name);
      for (const source of sourcesOf(name)) needs(source, [...path, name]);
    };
    for (const { name } of COMMANDS) needs(name, []);
  });

  it('have four to six utterances each, none of them twice', () => {
    const utterances = COMMANDS.flatMap((command) => command.utterances);
    expect(new Set(utterances).size).toBe(utterances.length);
    for (const command of COMMANDS) {
      expect(command.utterances.length).toBeGreaterThanOrEqual(4);
      expect(command.utterances.length).toBeLessThanOrEqual(6);
    }
  });

  it('have a prompt each that asks for their parameters, also where retail has a command of that name', () => {
    for (const { name, fields } of COMMANDS) {
      const [system] = extractionMessages(name, 'whatever', 'first');
      const [ref] = Array.isArray(system?.content) ? (system.content as unknown[]) : [];
      const { key } = ref as { key: string };
      const context = { env: 'airline', policy: '', toolsJson: '[]', options: OPTIONS };
      const text = fastWorkflow.texts?.[key]?.(context) ?? '';
      expect(text).toContain(`The command ${name} is about to run.`);
      for (const field of fields) expect(text).toContain(`\`${field.name}\` (`);
      expect(fastWorkflow.replyFields?.(name, 'airline')?.map((field) => field.name)).toEqual(
        fields.map((field) => field.name),
      );
    }
  });
});

describeWithReference('the commands of airline beside the tools of tau-bench', (dir) => {
  const read = (name: string) => readFileSync(join(dir, 'airline', `${name}.json`), 'utf8');

  it('have their names, arguments and allowed values', () => {
    const tools = toolsIn(read('tools'));
    for (const { name, parameters } of tools) {
      const command = find(name);
      if (command === undefined) {
        expect(AIRLINE.withoutCommand).toContain(name);
        continue;
      }
      expect(command.fields.map((field) => [field.name, field.allowed ?? null])).toEqual(parameters);
      expect(command.fields.every((field) => field.required)).toBe(true);
    }
    expect(
      checkCatalogue(
        AIRLINE,
        tools.map(({ name }) => name),
        {},
      ),
    ).toEqual([]);
  });

  it('have invented examples: no flight, user, reservation or task has them', () => {
    const data = ['users', 'flights', 'reservations', 'tasks-test'].map(read);
    const examples = FIELDS.flatMap(({ type, examples = [] }) => {
      if (type === 'text') return examples;
      const inside = type === 'json' ? examples.flatMap((example) => [...example.matchAll(/"[^"]*\d[^"]*"/g)]) : [];
      return inside.map(([quoted]) => quoted.slice(1, -1));
    });
    expect(new Set(examples).size).toBeGreaterThan(8);
    for (const example of examples) expect(data.some((text) => text.includes(`"${example}"`))).toBe(false);
  });
});

describe('a list of objects', () => {
  const update = (passengers: string) =>
    `update_reservation_passengers <reservation_id>ABC000</reservation_id> <passengers>${passengers}</passengers>`;
  const change = (flights: string) =>
    'update_reservation_flights <reservation_id>ABC000</reservation_id> <cabin>economy</cabin> ' +
    `<flights>${flights}</flights> <payment_id>gift_card_1</payment_id>`;
  const JANE = '{"first_name": "Jane", "last_name": "Doe", "dob": "2010-01-02"}';

  it('can be written as one tag, as a tag for each object, or in Python’s spelling', () => {
    const expected = `update_reservation_passengers {"reservation_id": "ABC000", "passengers": [${JANE}, ${JANE}]}`;
    expect(planned(update(`[${JANE}, ${JANE}]`), AIRLINE)).toBe(expected);
    expect(planned(update(`${JANE}</passengers> <passengers>${JANE}`), AIRLINE)).toBe(expected);
    expect(planned(update(`[${JANE}, ${JANE}]`.replaceAll('"', "'")), AIRLINE)).toBe(expected);
  });

  it.each([
    [JANE, 'passengers must be a list: put [ and ] around its objects.'],
    ['["Jane Doe"]', 'There must be an object with the keys first_name, last_name and dob in item 1 of passengers.'],
    [`[${JANE}, {"first_name": "Jim", "dob": "2010-01-02"}]`, 'In item 2 of passengers, last_name is missing: '],
    [`[${JANE.replace('2010-01-02', '2 January 2000')}]`, 'In item 1 of passengers, dob must be a day of birth as '],
    [`[${JANE.replace('"Doe"', '""')}]`, 'In item 1 of passengers, last_name must be a name.'],
    [`[${JANE.replace('{', '{"seat": 1, ')}]`, 'In item 1 of passengers, seat is none of the keys first_name, '],
  ])('that reads %s is refused', (passengers, expected) => {
    const { missing, invalid, message } = problem(update(passengers), AIRLINE);
    expect([missing, invalid]).toEqual([[], []]);
    expect(message).toContain(expected);
  });

  it('may have flights as a reservation has them, but not as a search does', () => {
    const booked =
      '{"origin": "AAA", "destination": "ZZZ", "flight_number": "HAT000", "date": "2010-01-02", "price": 9}';
    expect(planned(change(`[${booked}]`), AIRLINE)).toContain(booked);
    const offered = booked.replace('{', '{"status": "available", ');
    expect(problem(change(`[${offered}]`), AIRLINE).message).toContain('In item 1 of flights, status is none of ');
  });

  it('is missing if it is empty', () => {
    expect(problem(change('[]'), AIRLINE).missing).toEqual(['flights']);
  });

  it('keeps the spelling of its numbers, and rejects text as a number', () => {
    const book = find('book_reservation');
    const tags = (amount: string) =>
      (book?.fields ?? []).map((field) => {
        const example = field.examples?.[0] ?? field.allowed?.[0] ?? '';
        const value =
          field.name === 'payment_methods' ? `[{"payment_id": "gift_card_1", "amount": ${amount}}]` : example;
        return `<${field.name}>${value}</${field.name}>`;
      });
    const command = (amount: string) => ['book_reservation', ...tags(amount)].join(' ');
    expect(planned(command('250'), AIRLINE)).toContain('"amount": 250}');
    expect(planned(command('250.0'), AIRLINE)).toContain('"amount": 250.0}');
    for (const amount of ['"250"', 'true', 'null']) {
      expect(problem(command(amount), AIRLINE).message).toContain(
        'In item 1 of payment_methods, amount must be a number of dollars without quotes.',
      );
    }
  });
});

describe('bags and amounts', () => {
  const bags = (total: string, nonfree: string) =>
    `update_reservation_baggages <reservation_id>ABC000</reservation_id> <total_baggages>${total}</total_baggages> ` +
    `<nonfree_baggages>${nonfree}</nonfree_baggages> <payment_id>credit_card_1</payment_id>`;
  const certificate = (amount: string) => `send_certificate <user_id>a_b_1</user_id> <amount>${amount}</amount>`;

  it('accept numbers of bags from zero, and no more paid bags than bags', () => {
    expect(planned(bags('2', '0'), AIRLINE)).toContain('"total_baggages": 2, "nonfree_baggages": 0');
    expect(problem(bags('-1', 'two'), AIRLINE).invalid).toEqual(['total_baggages', 'nonfree_baggages']);
    expect(problem(bags('1', '2'), AIRLINE).message).toContain('nonfree_baggages is 2, but total_baggages only 1.');
  });

  it('keep amounts in dollars as they are written', () => {
    expect(planned(certificate('150'), AIRLINE)).toBe('send_certificate {"user_id": "a_b_1", "amount": 150}');
    expect(planned(certificate('150.5'), AIRLINE)).toContain('"amount": 150.5');
    expect(problem(certificate('$150'), AIRLINE).invalid).toEqual(['amount']);
  });
});
