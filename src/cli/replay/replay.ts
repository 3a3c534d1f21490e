/** The body of `tauflow replay`: sequences in, what the environment answers out, one line at a time. */

import { StateHasher } from '../../benchmark/index.ts';
import { sha256Hashing } from '../../io/index.ts';
import { resolvePack, tasksOfSplit, type Pack } from '../../packs/index.ts';
import type { CliContext } from '../context.ts';
import { ExitCode, UsageError } from '../../errors/index.ts';
import { parseRunOptions } from '../run/options.ts';
import { chooseTasks } from '../run/tasks.ts';
import { inputLines, type InputLine } from './lines.ts';
import { readSequence, replayedLine, SequenceError, type Sequence } from './sequence.ts';

export interface ReplayFlags {
  readonly env: string;
  readonly pack?: string;
  readonly taskSplit?: string;
  readonly taskIds?: readonly string[];
  readonly hash: boolean;
}

/** Results that came of one piece of input are written together, in pieces of about this many characters. */
const PIECE_CHARS = 64 * 1024;

/**
 * @returns Usage when there were lines that are no sequences; the others have been replayed
 * @throws UsageError, PackError before anything is printed
 */
export async function replaySequences(flags: ReplayFlags, context: CliContext): Promise<ExitCode> {
  const pack = await resolvePack(flags.env, flags.pack, { home: context.home });
  const hasher = flags.hash ? new StateHasher(pack, sha256Hashing) : undefined;
  if (flags.taskSplit !== undefined || flags.taskIds !== undefined) {
    await printReplayed(groundTruth(pack, flags), pack, hasher, context);
    return ExitCode.Done;
  }
  if (context.stdin.isTTY === true) {
    throw new UsageError('replay reads JSON lines from a pipe or a file; pipe some in, or give --task-split.');
  }
  let badLines = 0;
  const onBadLine = (number: number, problem: string) => {
    badLines++;
    context.log(`error: line ${String(number)} ${problem}.`);
  };
  for await (const lines of inputLines(context.stdin)) {
    await printReplayed(sequencesOf(lines, onBadLine), pack, hasher, context);
  }
  return badLines === 0 ? ExitCode.Done : ExitCode.Usage;
}

async function printReplayed(
  sequences: Iterable<Sequence>,
  pack: Pack,
  hasher: StateHasher | undefined,
  context: CliContext,
): Promise<void> {
  let waiting: string[] = [];
  let chars = 0;
  const write = async () => {
    if (waiting.length > 0) context.out(waiting.join('\n'));
    waiting = [];
    chars = 0;
    await context.drained();
  };
  for (const sequence of sequences) {
    const line = replayedLine(sequence, pack, hasher);
    waiting.push(line);
    chars += line.length;
    if (chars >= PIECE_CHARS) await write();
  }
  await write();
}

/** The tasks' own actions, named `<split>/<task>`. */
function* groundTruth(pack: Pack, { taskSplit = 'test', taskIds }: ReplayFlags): Generator<Sequence, void> {
  const options = parseRunOptions({ taskSplit, ...(taskIds === undefined ? {} : { taskIds }) });
  const tasks = tasksOfSplit(pack, taskSplit);
  for (const id of chooseTasks(pack, options)) {
    const steps = (tasks[id]?.actions ?? []).map((action) => ({ action }));
    yield { name: `${taskSplit}/${String(id)}`, steps, userReplies: [] };
  }
}

function* sequencesOf(
  lines: readonly InputLine[],
  onBadLine: (number: number, problem: string) => void,
): Generator<Sequence, void> {
  for (const { number, text } of lines) {
    if (text?.trim() === '') continue;
    try {
      if (text === null) throw new SequenceError('is not UTF-8');
      yield readSequence(text);
    } catch (error) {
      if (!(error instanceof SequenceError)) throw error;
      onBadLine(number, error.message);
    }
  }
}
