import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createCatalogue,
  type CommandDefinition,
  type FieldDefinition,
  type FieldType,
} from '../../../src/agents/fastworkflow/public.ts';
import { catalogueText, commandMetadata } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { exampleValues } from '../../../src/agents/fastworkflow/testing.ts';
import {
  adaptStrategy,
  parseLiteral,
  strategies,
  writeCommand,
  type StrategyDefinition,
} from '../../../src/agents/index.ts';
import { dumpJson, PyFloat, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { problem, readCommand } from './commands.ts';

const NAME = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);
const WORDS = fc.string({ maxLength: 40 });
/** Any text but those that stand for no value. */
const TEXT = fc.oneof(
  fc.string().filter((text) => !/^(?:NOT_FOUND|None|null)$/i.test(text.trim())),
  fc.constantFrom(' a ', '</a>', '<a>b</a>', ']]>', '<![CDATA[', '["1"]', "it's", 'a\nb', 'Zoë 🙂'),
);
const FLOAT = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => new PyFloat(value));
const INT = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const { json: JSON_VALUE } = fc.letrec<{ json: PyValue; list: PyValue[]; dict: PyDict }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    INT,
    FLOAT,
    fc.string(),
    tie('list'),
    tie('dict'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }),
  dict: fc.array(fc.tuple(fc.string(), tie('json')), { maxLength: 4 }).map((entries) => new Map(entries)),
}));
const JSON_DOCUMENT = fc.oneof(
  fc.array(JSON_VALUE, { minLength: 1, maxLength: 4 }),
  fc.array(fc.tuple(fc.string(), JSON_VALUE), { maxLength: 4 }).map((entries) => new Map(entries)),
);

interface Given {
  readonly field: FieldDefinition;
  /** undefined for a field that is not given. */
  readonly value: PyValue | undefined;
}

const VALUES: Readonly<Record<FieldType, fc.Arbitrary<PyValue>>> = {
  text: TEXT,
  integer: INT,
  number: fc.oneof(FLOAT, INT),
  boolean: fc.boolean(),
  list: fc
    .array(fc.oneof(fc.string(), TEXT), { minLength: 1, maxLength: 4 })
    .filter((items) => items.length > 1 || !/^(?:NOT_FOUND|None|null)$/i.test((items[0] ?? '').trim())),
  json: JSON_DOCUMENT,
};

const ALLOWED = fc.uniqueArray(
  TEXT.map((text) => text.trim()),
  {
    minLength: 1,
    maxLength: 4,
    selector: (text) => text.toLowerCase(),
  },
);

const PLAIN = fc
  .constantFrom(...(Object.keys(VALUES) as FieldType[]))
  .chain((type) => fc.record({ type: fc.constant(type), value: VALUES[type] }));
const CHOSEN = fc.tuple(ALLOWED, fc.nat()).map(([allowed, pick]) => ({
  type: 'text' as const,
  allowed,
  value: allowed[pick % allowed.length] ?? '',
}));
const PATTERNED = fc.tuple(fc.stringMatching(/^[a-z]{2,4}_\d+$/), fc.boolean()).map(([value, isList]) => ({
  type: isList ? ('list' as const) : ('text' as const),
  pattern: '[a-z]{2,4}_\\d+',
  value: isList ? [value, value] : value,
}));

const GIVEN: fc.Arbitrary<Given> = fc
  .record({
    name: NAME,
    description: WORDS,
    required: fc.boolean(),
    isSaid: fc.boolean(),
    rule: fc.oneof(PLAIN, CHOSEN, PATTERNED),
    shown: fc.record({ form: WORDS, examples: fc.array(WORDS), availableFrom: fc.array(NAME) }, { requiredKeys: [] }),
  })
  .map(({ name, description, required, isSaid, rule: { value, ...rule }, shown }) => ({
    field: { name, description, required, mayBeEmpty: true, ...rule, ...shown },
    value: required || isSaid ? value : undefined,
  }));

const COMMAND = fc
  .record({
    name: NAME,
    description: WORDS,
    fields: fc.uniqueArray(GIVEN, { maxLength: 5, selector: ({ field }) => field.name }),
  })
  .map(({ name, description, fields }) => {
    const command: CommandDefinition = {
      name,
      description,
      utterances: [],
      fields: fields.map(({ field }) => field),
    };
    const known = fields.flatMap(({ field, value }) => (value === undefined ? [] : [[field.name, value] as const]));
    return { command, parameters: new Map(known) };
  });

it('any command is read back as it was written', () => {
  fc.assert(
    fc.property(COMMAND, ({ command, parameters }) => {
      const catalogue = createCatalogue([command]);
      const text = writeCommand(command.name, parameters);
      const { checked, statement } = readCommand(text, catalogue);
      expect(checked).toEqual({ kind: 'valid', parameters });
      expect(statement).toBe('');
      if (checked.kind === 'valid') expect(writeCommand(command.name, checked.parameters)).toBe(text);
    }),
    { numRuns: 500 },
  );
});

it('any command without a required parameter names it, and only it', () => {
  fc.assert(
    fc.property(COMMAND, fc.nat(), ({ command, parameters }, pick) => {
      const required = command.fields.filter((field) => field.required);
      const dropped = required[pick % Math.max(required.length, 1)];
      if (dropped === undefined) return;
      const rest = new Map([...parameters].filter(([name]) => name !== dropped.name));
      const { missing, invalid, message } = problem(writeCommand(command.name, rest), createCatalogue([command]));
      expect([missing, invalid]).toEqual([[dropped.name], []]);
      expect(message).toContain(`Missing parameter values: ${dropped.name}\n`);
    }),
  );
});

it('any catalogue has a text that names every command and every field', () => {
  fc.assert(
    fc.property(fc.uniqueArray(COMMAND, { selector: ({ command }) => command.name, maxLength: 4 }), (given) => {
      const catalogue = createCatalogue(given.map(({ command }) => command));
      const text = catalogueText(catalogue);
      for (const { command, parameters } of given) {
        expect(text).toContain(`- ${command.name}: `);
        for (const field of command.fields) expect(text).toContain(`    ${field.name} (${field.type}, `);
        expect(text).toContain(commandMetadata(catalogue, [command.name]));
        expect(exampleValues(command, parameters)).toBeLessThanOrEqual(command.fields.length);
      }
    }),
  );
});

it('any value in JSON is read as it was written', () => {
  fc.assert(
    fc.property(JSON_DOCUMENT, (value) => {
      expect(parseLiteral(dumpJson(value))).toEqual(value);
    }),
  );
});

describe('Commands of tools', () => {
  const fastWorkflow = strategies['fastworkflow'] as StrategyDefinition;

  it('are made of their schemas, for a domain without commands', () => {
    const parameters = {
      type: 'object',
      properties: {
        order_id: { type: 'string', description: 'The order.', minLength: 1 },
        reason: { enum: ['damaged', 'late'], type: 'string' },
        count: { type: 'integer', default: 1 },
        notes: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
        address: { type: ['object', 'null'] },
        summary: { type: 'string' },
      },
      required: ['order_id', 'count', 'summary'],
    };
    const tools = [
      { type: 'function', function: { name: 'refund', description: 'Refunds.', parameters } },
      { type: 'function', function: { name: 'no-command' } },
    ];
    const commands = fastWorkflow.commandsOfTools?.make(JSON.stringify(tools)) ?? [];
    const fields = [
      { name: 'order_id', description: 'The order.', type: 'text', required: true },
      { name: 'reason', description: '', type: 'text', required: false, allowed: ['damaged', 'late'] },
      { name: 'count', description: '', type: 'integer', required: false },
      { name: 'notes', description: '', type: 'list', required: false },
      { name: 'address', description: '', type: 'json', required: false },
      { name: 'summary', description: '', type: 'text', required: true, mayBeEmpty: true },
    ];
    expect(commands).toEqual([{ name: 'refund', description: 'Refunds.', utterances: [], fields }]);
    const adapted = adaptStrategy(fastWorkflow, { omitPolicy: false, useReasoning: true, toolCommands: commands });
    const text = adapted.texts?.['commands']?.({
      env: 'own:x',
      policy: '',
      toolsJson: '[]',
      options: adapted as never,
    });
    expect(text).toContain('- refund: Refunds.');
    expect(adaptStrategy(fastWorkflow, { omitPolicy: false, useReasoning: true, toolCommands: commands })).toBe(
      adapted,
    );
  });
});
