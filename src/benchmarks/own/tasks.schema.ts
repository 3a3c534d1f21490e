/** The form of a task in `tasks.yaml` and in a benchmark's definition, and its conversion to one form. */

import * as z from 'zod';
import type { BenchmarkTask, CountedPart, MadeCall } from './public.ts';

/** A task with all its calls in one form. */
export interface OwnTask extends Omit<BenchmarkTask, 'calls' | 'counts'> {
  /** Calls of the ground truth; undefined: the task has none. */
  readonly calls: readonly Required<MadeCall>[] | undefined;
  readonly counts: readonly CountedPart[] | undefined;
  readonly split: string;
}

const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;
const PARTS = ['data', 'calls', 'outputs', 'sentences', 'grade'] as const satisfies readonly CountedPart[];
const REQUESTORS = ['assistant', 'user'] as const;

const text = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text; write numbers in quotes') })
  .trim()
  .min(1, 'must not be empty');
const texts = z.array(text, 'must be a list of texts');
const name = text.regex(NAME, 'must begin with a letter or digit, and have letters, digits, ".", "_" and "-" alone');
const fields = z.record(z.string(), z.json(), 'must be an object of arguments');

const CALL_FORM = 'must be a call: a tool’s name with its arguments, such as { find_order: { order_id: O1 } }';

const fullCall = z.strictObject({
  name: text,
  arguments: fields.default({}),
  requestor: z.enum(REQUESTORS, `must be ${REQUESTORS.join(' or ')}`).default('assistant'),
});

export const callSchema = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length !== 1 || only === undefined || typeof only[1] === 'string') return value;
  // A tool without parameters may have nothing after its name.
  return { name: only[0], arguments: (only[1] as unknown) ?? {} };
}, fullCall);

export const taskSchema = z
  .strictObject({
    id: name,
    user: text.optional(),
    instruction: text,
    calls: z.array(callSchema, 'must be a list of calls').optional(),
    data: z.record(z.string(), z.json(), 'must be an object of paths and values').optional(),
    outputs: texts.optional(),
    sentences: texts.optional(),
    counts: z
      .array(z.enum(PARTS, `must be one of ${PARTS.join(', ')}`), `must be a list of ${PARTS.join(', ')}`)
      .nonempty('must not be empty: nothing would count')
      .optional(),
    split: name.default('test'),
  })
  .transform(({ calls, counts, ...task }): OwnTask => ({ ...task, calls, counts }));

/** Describes the problems of a task, each with its field. */
export function describeIssues(error: z.ZodError): string[] {
  const sentences = error.issues.map((issue) => {
    const place = issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
    const field = place.replace(/^\./, '');
    if (issue.code === 'unrecognized_keys') {
      return field.startsWith('calls') ? `${field} ${CALL_FORM}` : `has ${issue.keys.join(', ')}, which no task has`;
    }
    const [call] = /^calls\[\d+\](?=(?:\.name)?$)/.exec(field) ?? [];
    return call === undefined ? `${field === '' ? 'it' : field} ${issue.message}` : `${call} ${CALL_FORM}`;
  });
  return [...new Set(sentences)];
}
