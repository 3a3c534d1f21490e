/** Model output is hostile: each of FastWorkflow's readers takes time that grows with the text's length, not faster. */

import { expect, it } from 'vitest';
import { parseObject, readList } from '../../../src/agents/fastworkflow/json.ts';
import { coerceField } from '../../../src/agents/fastworkflow/understanding/parameters.ts';
import { readInside, readSyntax, scanTags } from '../../../src/agents/fastworkflow/understanding/command-syntax.ts';
import { plan } from '../../../src/agents/fastworkflow/understanding/understand.ts';
import { normaliseUtterance } from '../../../src/agents/fastworkflow/understanding/intent.ts';
import { classify } from '../../../src/agents/fastworkflow/understanding/default-classifier.ts';
import { rankByWords } from '../../../src/agents/fastworkflow/understanding/matching.ts';
import { splitValues } from '../../../src/agents/fastworkflow/understanding/parameter-stage.ts';
import { readProse, readReply } from '../../../src/agents/fastworkflow/prompts/reply.ts';
import { signaturesFor } from '../../../src/agents/fastworkflow/prompts/signatures.ts';
import { splitReasoning } from '../../../src/agents/reasoning.ts';
import type { FieldDefinition } from '../../../src/agents/fastworkflow/catalogue/definitions.ts';
import { catalogueFor } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { OPTIONS } from '../fake-session.ts';
import { AIRLINE, RETAIL } from './commands.ts';

const { react, clarify, plan: planning } = signaturesFor(OPTIONS);
const CHOICE = '[[ ## next_tool_name ## ]]\nask_user\n[[ ## next_tool_args ## ]]';
const FIELDS: readonly FieldDefinition[] = [...RETAIL.commands, ...AIRLINE.commands].flatMap(({ fields }) => fields);
const EARLIER = catalogueFor('retail', { asOfVersion: 3 });

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  splitReasoning,
  parseObject,
  readList,
  scanTags,
  readInside,
  splitValues,
  normaliseUtterance,
  readReply: (text) => [readReply(text, react.outputs), readReply(text, clarify.outputs)],
  'readReply of an argument': (text) => readReply(`${CHOICE}\n${text}`, react.outputs),
  'readReply of a choice': (text) => readReply(`[[ ## next_tool_name ## ]] ${text}`, react.outputs),
  readProse: (text) => readProse(text, planning.outputs),
  rankByWords: (text) => rankByWords(text, RETAIL),
  classify: (text) => classify(text, RETAIL),
  coerceField: (text) => FIELDS.map((field) => coerceField(field, text)),
  readSyntax: (text) => RETAIL.commands.map((command) => readSyntax(command, text)),
  plan: (text) => [plan(RETAIL, text), plan(AIRLINE, text)],
  'plan of an earlier version': (text) => plan(EARLIER, text),
};

const OPENINGS = ['', '{"command": "', 'cancel_pending_order ', '[[ ## next_tool_args ## ]]\n{"'];
const UNITS = [
  ...['"', '\\"', "'", "\\'", '\\', '{', '}', '{"a":', '[', ']', '(', ')', '()', ',', ', ', '`', '```', '<', '>', '</'],
  ...['<a>', '</a>', '<a/>', '<a ', '<think>', '</think>', '<order_id>', '<order_id>x</order_id>', '<![CDATA[', ']]>'],
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

/** CPU time of this process, which other processes do not add to. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user } = process.cpuUsage(before);
  return user / 1000;
}

const SHORT = 5000;
const GROWTH = 8;
/** A linear reader takes 8 times as long, a quadratic one 64 times. */
const MOST = 32;
/** Shorter times are noise: compilation, garbage collection. */
const NOISE_MS = 50;

it.each(Object.entries(READERS))(
  '%s is linear',
  (_, read) => {
    const slow: string[] = [];
    const parts = [...UNITS.map((unit) => () => unit), ...DISTINCT];
    for (const [which, part] of parts.entries()) {
      for (const opening of OPENINGS) {
        const longText = textOf(SHORT * GROWTH, opening, part);
        if (cpuMs(() => read(longText)) < NOISE_MS) continue;
        // The least of three: what is slow by chance is not slow three times.
        const least = (text: string) => Math.min(...[1, 2, 3].map(() => cpuMs(() => read(text))));
        const short = least(textOf(SHORT, opening, part));
        const long = least(longText);
        if (long > NOISE_MS && long > MOST * Math.max(short, 1)) {
          slow.push(
            `${JSON.stringify(UNITS[which] ?? 'distinct')} after ${JSON.stringify(opening)}: ${short} ms, ${long} ms`,
          );
        }
      }
    }
    expect(slow).toEqual([]);
  },
  300_000,
);
