/** Texts that name one or two commands, in the forms in which models write them: which command is planned, and how. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plan, type Catalogue, type CommandDefinition } from '../../../src/agents/fastworkflow/public.ts';
import { parseLiteral, writeCommand } from '../../../src/agents/index.ts';
import { readList, checkParameters, readWritten } from '../../../src/agents/fastworkflow/testing.ts';
import { dumpJson, type PyDict, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { AIRLINE, RETAIL } from './commands.ts';

interface Call {
  readonly name: string;
  readonly parameters: PyDict;
}

/** @param shift is added to every digit of the values, so that no two commands of a text share one */
function callOf(command: CommandDefinition, shift: number): Call {
  const raw = command.fields.map(({ name, examples = [], allowed = [], type }) => {
    const [example = ''] = [...allowed, ...examples];
    const text = example.replace(/\d/g, (digit) => String((Number(digit) + shift) % 10));
    return [name, type === 'list' ? readList(text) : text] as const;
  });
  const checked = checkParameters(command, new Map(raw));
  if (checked.kind !== 'valid') throw new Error(checked.message);
  return { name: command.name, parameters: checked.parameters };
}

const json = (value: PyValue) => dumpJson(value);
const tags = ({ name, parameters }: Call) => writeCommand(name, parameters);
const inside = ({ parameters }: Call) => writeCommand('', parameters);

const FORMS: Readonly<Record<string, (call: Call) => string>> = {
  tags,
  'a tag a line': (call) => tags(call).replaceAll('> <', '>\n<'),
  'capital letters': (call) => call.name.toUpperCase() + tags(call).slice(call.name.length),
  brackets: (call) => `${call.name}(${inside(call)})`,
  bold: (call) => `**${call.name}**${inside(call)}`,
  'a code block': (call) => `\`\`\`bash\n${tags(call)}\n\`\`\``,
  'inline code': (call) => `\`${tags(call)}\``,
  'an outer tag': (call) => `<command>${tags(call)}</command>`,
  'an outer tag of lines': (call) => `<execute_workflow_query>\n  ${tags(call)}\n</execute_workflow_query>`,
  'the name as a tag': (call) => `<${call.name}>\n${inside(call)}\n</${call.name}>`,
  'an outer tag around parameters': (call) => `${call.name} <parameters>${inside(call)}</parameters>`,
  'a JSON call': (call) =>
    json(
      new Map<string, PyValue>([
        ['name', call.name],
        ['arguments', call.parameters],
      ]),
    ),
  'a JSON call in a block': (call) =>
    `\`\`\`json\n${json(
      new Map<string, PyValue>([
        ['tool', call.name],
        ['parameters', call.parameters],
      ]),
    )}\n\`\`\``,
  'a list of JSON calls': (call) => json([new Map<string, PyValue>([['command', call.name], ...call.parameters])]),
  'an OpenAI call': (call) => {
    const called = new Map([
      ['name', call.name],
      ['arguments', json(call.parameters)],
    ]);
    return json(
      new Map<string, PyValue>([
        ['type', 'function'],
        ['function', called],
      ]),
    );
  },
  'text in JSON': (call) => json(new Map([['command', tags(call)]])),
  'JSON arguments': (call) => `${call.name}(${json(call.parameters)})`,
  'Python arguments': (call) => `${call.name} ${json(call.parameters).replace(/"(?=[:,}\]])|(?<=[{[ ])"/g, "'")}`,
};
const PREFIXES = ['', '1. ', '- ', '* ', 'First ', 'please ', 'Step 1: ', 'Please run:\n', 'I can help with this. '];
const JOINERS = ['\n', '\n\n', ' ', '; ', ' and then ', ', then ', '\n2. ', '\nThen ', '\n- '];

function expectPlan(catalogue: Catalogue, text: string, { name, parameters }: Call): void {
  expect({ text, ...plan(catalogue, text) }).toMatchObject({
    text,
    kind: 'plan',
    commandName: name,
    cmdParameters: parameters,
  });
}

describe.each([
  { domain: 'retail', catalogue: RETAIL },
  { domain: 'airline', catalogue: AIRLINE },
])('a command of $domain', ({ catalogue }) => {
  const firsts = catalogue.commands.map((command) => callOf(command, 0));
  const seconds = catalogue.commands.map((command) => callOf(command, 3));
  const pairs = firsts.flatMap((first) => seconds.map((second) => [first, second] as const));

  it.each(Object.entries(FORMS))('is read in the form: %s', (_, form) => {
    for (const call of firsts) {
      for (const prefix of PREFIXES) expectPlan(catalogue, `${prefix}${form(call)}`, call);
      expectPlan(catalogue, `I use ${call.name} for this.\n\n${form(call)}\n\nThis does it.`, call);
      expectPlan(catalogue, `<think>${form(callOf(catalogue.commands[0] ?? never(), 5))}</think>\n${form(call)}`, call);
    }
  });

  it('is executed alone if it is the first of two, whatever is before and between them', () => {
    for (const [at, [first, second]] of pairs.entries()) {
      // Every prefix, and every joiner; over the pairs, each with each.
      for (const [i, prefix] of PREFIXES.entries()) {
        const joiner = JOINERS[(at + i) % JOINERS.length] ?? '';
        expectPlan(catalogue, `${prefix}${tags(first)}${joiner}${tags(second)}`, first);
      }
      expectPlan(catalogue, `\`\`\`\n${tags(first)}\n${tags(second)}\n\`\`\``, first);
    }
  });

  it('is executed alone if it is the first of two, in any form of either', () => {
    const form = fc.constantFrom(...Object.keys(FORMS));
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs),
        form,
        form,
        fc.constantFrom(...PREFIXES),
        fc.constantFrom(...JOINERS),
        ([first, second], formOfFirst, formOfSecond, prefix, joiner) => {
          const texts = [FORMS[formOfFirst]?.(first), FORMS[formOfSecond]?.(second)];
          const text = `${prefix}${texts.join(joiner)}`;
          expectPlan(catalogue, text, first);
          // A command without parameters that is named twice may have been announced only.
          if (first.name === second.name && first.parameters.size === 0) return;
          const written = readWritten(catalogue, text);
          expect(written.kind === 'named' && written.command.others).toEqual([second.name]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('without a parameter is never completed from the command after it', () => {
    for (const [first, second] of pairs.filter(([one, other]) => one.name !== other.name)) {
      const required = catalogue.find(first.name)?.fields.filter((field) => field.required) ?? [];
      for (const { name } of required) {
        const parameters = new Map([...first.parameters].filter(([field]) => field !== name));
        const text = `${tags({ name: first.name, parameters })}\n${tags(second)}`;
        expect({ text, kind: plan(catalogue, text).kind }).toEqual({ text, kind: 'error' });
      }
    }
  });
});

function never(): never {
  throw new Error('there is no command');
}

describe('a text', () => {
  const kindOf = (text: string) => plan(RETAIL, text).kind;

  it('whose first command has no exact name is not about the second', () => {
    const cancel = 'cancel_pending_order <order_id>#W9</order_id> <reason>no longer needed</reason>';
    expect(plan(RETAIL, `get_order_detials <order_id>#W1</order_id>\n${cancel}`)).toMatchObject({
      commandName: 'get_order_details',
      others: ['cancel_pending_order'],
    });
    expect(kindOf(`refund_order <order_id>#W1</order_id>\n${cancel}`)).toBe('clarification');
    expect(kindOf(`{"name": "refund_order", "arguments": {"order_id": "#W1"}}\n${cancel}`)).toBe('clarification');
  });

  it('can have names of commands within a value', () => {
    const summary = 'cancel_pending_order <order_id> failed,\nreturn_delivered_order_items too';
    const call = { name: 'transfer_to_human_agents', parameters: new Map([['summary', summary]]) };
    expectPlan(RETAIL, tags(call), call);
    expect(plan(RETAIL, tags(call))).not.toHaveProperty('others');
    expectPlan(
      RETAIL,
      json(
        new Map<string, PyValue>([
          ['name', call.name],
          ['arguments', call.parameters],
        ]),
      ),
      call,
    );
  });

  it('with a tag that is not closed does not read on in the next command', () => {
    const text =
      'modify_user_address <user_id>a_b_1</user_id> <address1>1 Elm St <city>Austin\n' +
      'modify_pending_order_address <order_id>#W2</order_id> <address1>9 Oak Rd</address1> <city>Rome</city>';
    expect(plan(RETAIL, text)).toMatchObject({ kind: 'error', commandName: 'modify_user_address' });
  });

  it('is parsed equally with and without a reasoning block', () => {
    const look = 'get_order_details <order_id>#W1</order_id>';
    const draft = 'cancel_pending_order <order_id>#W9</order_id> <reason>no longer needed</reason>';
    for (const text of [`<think>${draft}</think>${look}`, `${draft}\n</think>\n${look}`, `${look}\n<think>${draft}`]) {
      expect(plan(RETAIL, text)).toEqual(plan(RETAIL, look));
    }
    expect(kindOf(`<thinking>\n${draft}`)).toBe('handled');
  });

  it('keeps the spelling of numbers in JSON', () => {
    for (const amount of ['100', '100.0']) {
      const text = `{"name": "send_certificate", "arguments": {"user_id": "a_b_1", "amount": ${amount}}}`;
      const planned = plan(AIRLINE, text);
      expect(planned.kind === 'plan' && dumpJson(planned.cmdParameters)).toBe(
        `{"user_id": "a_b_1", "amount": ${amount}}`,
      );
    }
    expect(parseLiteral('100.0')).not.toEqual(parseLiteral('100'));
  });
});
