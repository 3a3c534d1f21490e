/** A sequence of actions as a line of JSON, before it is replayed and after. Numbers and the order of keys are kept. */

import {
  JsonError,
  dumpJson,
  isDict,
  isList,
  parseJson,
  type PyDict,
  type PyValue,
} from '../../benchmark/python/index.ts';
import { UsageError } from '../../errors/index.ts';
import { replay, type Action, type EnvData, type StepOutcome, type StateHasher } from '../../benchmark/index.ts';

export interface Sequence {
  /** Id of the line, if it has one; passed on unchanged. */
  readonly name: PyValue | undefined;
  readonly steps: readonly SequenceStep[];
  readonly userReplies: readonly string[];
}

interface SequenceStep {
  readonly action: Action;
  /** The arguments where they were given as text (`kwargs_json`), which can say what plain JSON cannot. */
  readonly kwargsJson?: string;
}

/** The line is no sequence. The message follows `line 3 `: `is not JSON: …`. */
export class SequenceError extends UsageError {
  override readonly name = 'SequenceError';
}

/**
 * Reads `{"name"?, "steps": [{"name", "kwargs"} or {"name", "kwargs_json"}…], "user_replies"?}`; what else it has, such
 * as recorded observations, is passed over.
 * @throws SequenceError
 */
export function readSequence(line: string): Sequence {
  const value = parse(line, 'is');
  if (!isDict(value)) throw new SequenceError('is no JSON object; write {"steps": [{"name": …, "kwargs": {…}}, …]}');
  const steps = value.get('steps');
  if (!isList(steps)) throw new SequenceError('has no list "steps"; write {"steps": [{"name": …, "kwargs": {…}}, …]}');
  const replies = value.get('user_replies') ?? [];
  if (!isList(replies) || !replies.every((reply) => typeof reply === 'string')) {
    throw new SequenceError('has "user_replies" that are no list of texts');
  }
  return { name: value.get('name'), steps: steps.map(readStep), userReplies: replies };
}

function readStep(step: PyValue, at: number): SequenceStep {
  const where = `steps[${String(at)}]`;
  if (!isDict(step)) throw new SequenceError(`has no object at ${where}; write {"name": …, "kwargs": {…}}`);
  const name = step.get('name');
  if (typeof name !== 'string') throw new SequenceError(`has no text "name" at ${where}`);
  const text = step.get('kwargs_json');
  if (text === undefined) return { action: { name, kwargs: kwargsOf(step.get('kwargs'), `"kwargs" of ${where}`) } };
  if (typeof text !== 'string') throw new SequenceError(`has a "kwargs_json" at ${where} that is no text`);
  if (step.has('kwargs')) throw new SequenceError(`has both "kwargs" and "kwargs_json" at ${where}; keep one of them`);
  const kwargs = parse(text, `has a "kwargs_json" at ${where} that is`);
  return { action: { name, kwargs: kwargsOf(kwargs, `"kwargs_json" of ${where}`) }, kwargsJson: text };
}

function kwargsOf(value: PyValue | undefined, what: string): PyDict {
  if (isDict(value)) return value;
  throw new SequenceError(`needs an object as ${what}`);
}

function parse(text: string, what: string): PyValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // A text of one line: the position alone tells where.
    const reason = error.message.replace(/: line \d+ column \d+ \(char (\d+)\)$/, ' at character $1');
    throw new SequenceError(`${what} not JSON (${reason})`);
  }
}

/** @param hasher absent: the line has no `data_hash` */
export function replayedLine(sequence: Sequence, data: EnvData, hasher?: StateHasher): string {
  const actions = sequence.steps.map(({ action }) => action);
  const { steps, state } = replay(data, actions, sequence.userReplies);
  return dumpJson({
    name: sequence.name,
    steps: steps.map((step, at) => ({ ...spelt(sequence.steps[at]), ...outcome(step) })),
    data_hash: hasher?.hash(state),
  });
}

function spelt(step: SequenceStep | undefined): object {
  if (step === undefined) throw new RangeError('a step was replayed that was not asked for');
  const { action, kwargsJson } = step;
  return kwargsJson === undefined
    ? { name: action.name, kwargs: action.kwargs }
    : { name: action.name, kwargs_json: kwargsJson };
}

function outcome(step: StepOutcome): object {
  if (step.kind === 'observed') return { observation: step.observation };
  return { observation: null, raised: { type: step.type, message: step.message, where: 'Env.step' } };
}
