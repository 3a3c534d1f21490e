/** Model output is hostile: each of FastWorkflow's readers takes time that grows with the text's length, not faster. */

import {
  parseLooseObject,
  readList,
  coerceField,
  readInside,
  readSyntax,
  scanTags,
  normaliseUtterance,
  classify,
  rankByWords,
  splitValues,
  readProse,
  parseReply,
  signaturesFor,
} from '../../../src/agents/fastworkflow/testing.ts';
import { plan, type FieldDefinition } from '../../../src/agents/fastworkflow/public.ts';
import { splitReasoning } from '../../../src/agents/testing.ts';
import { type AdversarialText, testLinear } from '../../helpers/linear.ts';
import { OPTIONS } from '../fake-session.ts';
import { AIRLINE, RETAIL } from './commands.ts';

const { react, clarify, plan: planning } = signaturesFor(OPTIONS);
const CHOICE = '[[ ## next_tool_name ## ]]\nask_user\n[[ ## next_tool_args ## ]]';
const FIELDS: readonly FieldDefinition[] = [...RETAIL.commands, ...AIRLINE.commands].flatMap(({ fields }) => fields);

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  splitReasoning,
  parseLooseObject,
  readList,
  scanTags,
  readInside,
  splitValues,
  normaliseUtterance,
  readReply: (text) => [parseReply(text, react.outputs), parseReply(text, clarify.outputs)],
  'readReply of an argument': (text) => parseReply(`${CHOICE}\n${text}`, react.outputs),
  'readReply of a choice': (text) => parseReply(`[[ ## next_tool_name ## ]] ${text}`, react.outputs),
  readProse: (text) => readProse(text, planning.outputs),
  rankByWords: (text) => rankByWords(text, RETAIL),
  classify: (text) => classify(text, RETAIL),
  coerceField: (text) => FIELDS.map((field) => coerceField(field, text)),
  readSyntax: (text) => RETAIL.commands.map((command) => readSyntax(command, text)),
  plan: (text) => [plan(RETAIL, text), plan(AIRLINE, text)],
};

const OPENINGS = ['', '{"command": "', 'cancel_pending_order ', '[[ ## next_tool_args ## ]]\n{"'];
const UNITS = [
  ...['"', '\\"', "'", "\\'", '\\', '{', '}', '{"a":', '[', ']', '(', ')', '()', ',', ', ', '`', '```', '<', '>', '</'],
  ...[
    '<a>',
    '</a>',
    '<a/>',
    '<a ',
    '<think>',
    '</think>',
    '[THINK]',
    '<|channel|>analysis',
    '<|end|>',
    '<order_id>',
    '<order_id>x</order_id>',
    '<![CDATA[',
    ']]>',
  ],
  ...[
    'A',
    'a ',
    '1',
    '1 ',
    '1.',
    '#',
    '.',
    '!',
    '-',
    '_',
    ' ',
    '\t',
    '\n',
    '\n ',
    '\u00a0',
    '\u0301',
    'é',
    '🙂',
    '\ud800',
  ],
  ...[
    'cancel_pending_order ',
    'cancel_pending_order\n',
    'calculate',
    '{"name": "calculate"} ',
    'True ',
    '[[ ## a ## ]]\n',
  ],
];
/** Texts of which no two parts are equal. */
const DISTINCT = [(i: number) => `<t${i}>`, (i: number) => `word${'abcdefghij'[i % 10] ?? ''}${i.toString(26)} `];

function textOf(length: number, opening: string, part: (i: number) => string): string {
  const parts = [opening];
  for (let i = 0, size = opening.length; size < length; i++) {
    const next = part(i);
    parts.push(next);
    size += next.length;
  }
  return parts.join('');
}

const PARTS = [
  ...UNITS.map((unit) => ({ name: JSON.stringify(unit), part: () => unit })),
  ...DISTINCT.map((part) => ({ name: `${JSON.stringify(part(0))}, each another`, part })),
];
const TEXTS: readonly AdversarialText[] = OPENINGS.flatMap((opening) =>
  PARTS.map(({ name, part }) => ({
    name: `${name} after ${JSON.stringify(opening)}`,
    make: (length: number) => textOf(length, opening, part),
  })),
);

testLinear(READERS, { texts: TEXTS });
