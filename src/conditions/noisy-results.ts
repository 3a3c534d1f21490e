import {
  JsonError,
  dumpJson,
  isDict,
  isList,
  parseJson,
  parseObject,
  type PyValue,
} from '../benchmarks/python/index.ts';
import { shuffle } from './draw.ts';
import type { CallPlace, Condition, ToolSchema } from './port.ts';

/** Number of a result's characters that are shown at once. */
const SHOWN = 3_000;

const READ_ON = 'read_more_of_result';
const READ_ON_TOOL: ToolSchema = {
  type: 'function',
  function: {
    name: READ_ON,
    description: 'Shows more of a long result that was cut. The note at its end says which arguments to use.',
    parameters: {
      type: 'object',
      properties: {
        result: { type: 'integer', description: 'Number of the result.' },
        from: { type: 'integer', description: 'Number of characters that were shown before.' },
      },
      required: ['result', 'from'],
    },
  },
};

export const noisyResults: Condition = {
  name: 'noisy-results',
  summary: 'results have fields that do not matter, lists in another order, and are cut when they are long',
  texts: (texts) => ({ ...texts, tools: [...texts.tools, READ_ON_TOOL] }),
  call: ({ name, argumentsJson }, place) => (name === READ_ON ? { instead: readOn(argumentsJson, place) } : undefined),
  observation: (answer, place) => cutResult(disturb(answer, place), place.position, 0),
};

/** Adds fields to an object, or reorders the items of a list; other texts do not change. */
function disturb(answer: string, { draw }: CallPlace): string {
  const value = parseResult(answer);
  if (isList(value)) return dumpJson(shuffle(value, (index) => draw(`item ${index}`)));
  if (!isDict(value)) return answer;
  const number = (what: string, below: number) => BigInt(Math.floor(draw(what) * below));
  const fields = new Map<string, PyValue>([
    ['_request', `r-${number('request', 2 ** 32).toString(16)}`],
    ['_served_by', `node-${number('node', 40)}`],
    ['_elapsed_ms', number('elapsed', 900)],
  ]);
  return dumpJson(new Map([...fields, ...value]));
}

function parseResult(text: string): PyValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

function cutResult(text: string, result: number, from: number): string {
  const end = from + SHOWN;
  const rest = text.length - end;
  if (rest <= 0) return text.slice(from);
  return (
    `${text.slice(from, end)}\n[The result was cut here; it has ${rest} more characters. To read on, call ${READ_ON} ` +
    `with {"result": ${result}, "from": ${end}}.]`
  );
}

function readOn(argumentsJson: string, { earlier, at }: CallPlace): string {
  const given = parseObject(argumentsJson);
  const [result, from] = ['result', 'from'].map((key) => Number(given === null ? NaN : given.get(key)));
  if (result === undefined || from === undefined || !Number.isSafeInteger(result) || !Number.isSafeInteger(from)) {
    return `Error: ${READ_ON} needs the numbers result and from.`;
  }
  const call = earlier[result - 1];
  const text = call?.isExecuted === true ? disturb(call.answer, at(result)) : '';
  if (from < 0 || from >= text.length) return `Error: result ${result} has nothing more at ${from}.`;
  return cutResult(text, result, from);
}
