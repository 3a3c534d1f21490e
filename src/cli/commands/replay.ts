/** `tauflow replay`: the environment's observations for sequences of actions, and the state after them. */

import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { getContent } from '../../benchmarks/contents.ts';
import {
  BENCHMARK_NAMES,
  DEFAULTS,
  taskData,
  type EnvData,
  type ReplaySequence,
  type Task,
} from '../../benchmarks/index.ts';
import { sha256Hashing } from '../../io/index.ts';
import { tasksOfSplit, type Pack } from '../../benchmarks/packs/index.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { chooseTasks, defaultSplit, resolveTaskNumbers, parseRunOptions, resolveNamed } from '../../run-setup/index.ts';
import {
  JsonError,
  PyError,
  dumpJson,
  isDict,
  isList,
  parseJson,
  type PyDict,
  type PyValue,
} from '../../benchmarks/python/index.ts';
import { isUtf8 } from 'node:buffer';

export function defineReplayCommand(command: Command, context: CliContext): void {
  command
    .option('--env <env>', `domain (default: ${DEFAULTS.env})`)
    .option(
      '--benchmark <name>',
      `whose domain it is: ${BENCHMARK_NAMES.join(' or ')} (default: ${BENCHMARK_NAMES[0]})`,
    )
    .option('--pack <folder|name>', "domain pack (default: the env's shipped pack)")
    .option('--env-url <url>', 'URL of an environment service')
    .option('--env-options <json>', 'its options')
    .option('--task-split <split>', 'replay the ground truth of this split instead of reading lines')
    .option('--task-ids <ids...>', `of these tasks only, as 1 2 3, 1,2,3 or 1-3 (default split: ${DEFAULTS.taskSplit})`)
    .option('--no-hash', 'leave the data hash out, which takes most of the time')
    .action(async (flags: ReplayFlags) => {
      context.end(await replaySequences(flags, context));
    });
}

interface ReplayFlags {
  readonly env?: string;
  readonly benchmark?: string;
  readonly envUrl?: string;
  readonly envOptions?: string;
  readonly pack?: string;
  readonly taskSplit?: string;
  readonly taskIds?: readonly string[];
  readonly hash: boolean;
}

/** Size of the output pieces, in characters. Results of one piece of input are written together. */
const PIECE_CHARS = 64 * 1024;

/**
 * @returns Usage if some lines are not sequences; the other lines are replayed
 * @throws UsageError, PackError before anything is printed
 */
async function replaySequences(flags: ReplayFlags, context: CliContext): Promise<ExitCode> {
  const pack = await resolveNamed(flags, context);
  const write = replayer(pack, flags.hash);
  let badLines = 0;
  const onBadLine = (number: number, problem: string) => {
    badLines++;
    context.log(`error: line ${String(number)} ${problem}.`);
  };
  if (flags.taskSplit !== undefined || flags.taskIds !== undefined) {
    await printReplayed(groundTruth(pack, flags), write, onBadLine, context);
    return ExitCode.Done;
  }
  if (context.stdin.isTTY === true) {
    throw new UsageError('replay reads JSON lines from a pipe or a file; pipe some in, or give --task-split.');
  }
  for await (const lines of inputLines(context.stdin)) {
    await printReplayed(readSequences(lines, onBadLine), write, onBadLine, context);
  }
  return badLines === 0 ? ExitCode.Done : ExitCode.Usage;
}

async function printReplayed(
  sequences: Iterable<Sequence>,
  replayed: (sequence: Sequence) => Promise<string>,
  onBadLine: (number: number, problem: string) => void,
  context: CliContext,
): Promise<void> {
  let waiting: string[] = [];
  let chars = 0;
  const flush = async () => {
    if (waiting.length > 0) context.out(waiting.join('\n'));
    waiting = [];
    chars = 0;
    await context.drained();
  };
  for (const sequence of sequences) {
    let line: string;
    try {
      line = await replayed(sequence);
    } catch (error) {
      if (!(error instanceof SequenceError)) throw error;
      onBadLine(sequence.number, error.message);
      continue;
    }
    waiting.push(line);
    chars += line.length;
    if (chars >= PIECE_CHARS) await flush();
  }
  await flush();
}

/** Yields the tasks' own actions, named `<split>/<task>`. */
function* groundTruth(pack: Pack, { taskSplit = defaultSplit(pack), taskIds }: ReplayFlags): Generator<Sequence, void> {
  const options = parseRunOptions({
    taskSplit,
    ...(taskIds === undefined ? {} : { taskIds: resolveTaskNumbers(pack, taskSplit, taskIds) }),
  });
  const tasks = tasksOfSplit(pack, taskSplit);
  for (const id of chooseTasks(pack, options)) {
    const steps = (tasks[id]?.actions ?? []).map((action) => ({
      action,
      given: { name: action.name, kwargs: action.kwargs },
    }));
    const taskId = tasks[id]?.name ?? tasks[id]?.content?.get('id');
    yield { number: 0, name: `${taskSplit}/${String(id)}`, taskId, steps, userReplies: [] };
  }
}

function* readSequences(
  lines: readonly InputLine[],
  onBadLine: (number: number, problem: string) => void,
): Generator<Sequence, void> {
  for (const { number, text } of lines) {
    if (text?.trim() === '') continue;
    try {
      if (text === null) throw new SequenceError('is not UTF-8');
      yield { number, ...readSequence(text) };
    } catch (error) {
      if (!(error instanceof SequenceError)) throw error;
      onBadLine(number, error.message);
    }
  }
}

interface Sequence extends ReplaySequence {
  /** Number of the line, from 1. */
  readonly number: number;
}

/** Error of a line that is not a sequence. The message follows `line 3 `: `is not JSON: …`. */
class SequenceError extends UsageError {
  override readonly name = 'SequenceError';
}

/**
 * Reads `{"name"?, "steps": [{"name", "kwargs"} or {"name", "kwargs_json"}…], "user_replies"?}`; ignores other fields,
 * such as recorded observations.
 * @throws SequenceError
 */
function readSequence(line: string): Omit<Sequence, 'number'> {
  const value = parse(line, 'is');
  if (!isDict(value)) throw new SequenceError('is not a JSON object; write {"steps": [{"name": …, "kwargs": {…}}, …]}');
  const steps = value.get('steps');
  if (!isList(steps)) throw new SequenceError('has no list "steps"; write {"steps": [{"name": …, "kwargs": {…}}, …]}');
  const replies = value.get('user_replies') ?? [];
  if (!isList(replies) || !replies.every((reply) => typeof reply === 'string')) {
    throw new SequenceError('has "user_replies" that are not a list of texts');
  }
  const [name, taskId] = [value.get('name'), value.get('task_id')];
  return { name, taskId, steps: steps.map(readStep), userReplies: replies };
}

function readStep(step: PyValue, at: number): ReplaySequence['steps'][number] {
  const where = `steps[${String(at)}]`;
  if (!isDict(step)) throw new SequenceError(`has no object at ${where}; write {"name": …, "kwargs": {…}}`);
  const name = step.get('name');
  if (typeof name !== 'string') throw new SequenceError(`has no text "name" at ${where}`);
  const requestor = step.get('requestor') === 'user' ? { requestor: 'user' as const } : {};
  const text = step.get('kwargs_json');
  if (text === undefined) {
    const kwargs = requireKwargs(step.get('kwargs'), `"kwargs" of ${where}`);
    return { action: { name, kwargs, ...requestor }, given: { name, kwargs } };
  }
  if (typeof text !== 'string') throw new SequenceError(`has a "kwargs_json" at ${where} that is not a text`);
  if (step.has('kwargs')) throw new SequenceError(`has both "kwargs" and "kwargs_json" at ${where}; keep one of them`);
  const value = parse(text, `has a "kwargs_json" at ${where} that is`);
  const kwargs = requireKwargs(value, `"kwargs_json" of ${where}`);
  // Arguments as text can have spellings that plain JSON loses, such as `131.0`.
  return { action: { name, kwargs, ...requestor }, given: { name, kwargs_json: text } };
}

function requireKwargs(value: PyValue | undefined, what: string): PyDict {
  if (isDict(value)) return value;
  throw new SequenceError(`needs an object as ${what}`);
}

function parse(text: string, what: string): PyValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // The text is a single line, so the character position is enough.
    const reason = error.message.replace(/: line \d+ column \d+ \(char (\d+)\)$/, ' at character $1');
    throw new SequenceError(`${what} not JSON (${reason})`);
  }
}

/** Formats a sequence's result; throws a SequenceError if it names no task of the pack. */
function replayer(pack: Pack, hash: boolean): (sequence: Sequence) => Promise<string> {
  const { startsInTasks, line } = getContent(pack.domain).openReplayer(pack, hash ? sha256Hashing : null);
  const tasks = startsInTasks ? tasksById(pack) : undefined;
  return async (sequence) => {
    const { taskId = null } = sequence;
    const task = tasks?.get(taskId);
    if (tasks !== undefined && task === undefined && taskId !== null) {
      throw new SequenceError(`has a "task_id" that is no task's of ${pack.ref.name}`);
    }
    return dumpJson(await line(task === undefined ? pack : createStartData(task, pack), sequence));
  };
}

/** Returns the tasks by their own ids; the first of several with the same id. */
function tasksById(pack: Pack): ReadonlyMap<PyValue, Task> {
  const tasks = new Map<PyValue, Task>();
  for (const task of Object.values(pack.splits).flat()) {
    const id = task.name ?? task.content?.get('id');
    if (typeof id === 'string' && !tasks.has(id)) tasks.set(id, task);
  }
  return tasks;
}

function createStartData(task: Task, pack: Pack): EnvData {
  try {
    return taskData(pack, task);
  } catch (error) {
    if (!(error instanceof PyError)) throw error;
    throw new SequenceError(`begins in a state that cannot be made: ${error.message}`);
  }
}

interface InputLine {
  /** Number of the line, from 1. */
  readonly number: number;
  /** The line without its end; null if its bytes are not UTF-8. */
  readonly text: string | null;
}

/**
 * Yields lines in batches as they arrive, so that a program that waits for each answer gets it. Lines end at line feeds
 * only, because JSON strings may contain other line separators.
 */
async function* inputLines(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<InputLine[], void> {
  let number = 0;
  let waiting: Buffer[] = [];
  const line = (): InputLine => {
    const [first] = waiting;
    const bytes = waiting.length === 1 && first !== undefined ? first : Buffer.concat(waiting);
    waiting = [];
    number++;
    return { number, text: isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : null };
  };
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    const lines: InputLine[] = [];
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      waiting.push(bytes.subarray(from, end));
      from = end + 1;
      lines.push(line());
    }
    if (from < bytes.length) waiting.push(bytes.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (waiting.length > 0) yield [line()];
}

const LINE_FEED = 0x0a;
