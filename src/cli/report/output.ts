/** The output of an export or a report: a file, written atomically, or stdout. */

import { dirname, resolve } from 'node:path';
import { makeFolders, writeFileAtomically } from '../../io/index.ts';
import { describeSystemError } from '../../run-log/index.ts';
import { UsageError, systemErrorCode } from '../../errors/index.ts';
import { shownPath, type CliContext } from '../context.ts';

/**
 * Writes a command's result to a file, atomically, or to stdout.
 * @param output a path, or `-` for stdout
 * @param pieces whole lines
 * @throws UsageError for a file that cannot be written
 */
export async function writeOutput(output: string, pieces: AsyncIterable<string>, context: CliContext): Promise<void> {
  if (output === '-') {
    for await (const piece of pieces) {
      context.out(piece.replace(/\n$/, ''));
      await context.drained();
    }
    return;
  }
  const file = resolve(context.cwd, output);
  try {
    await makeFolders(dirname(file));
    await writeFileAtomically(file, pieces);
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    throw new UsageError(
      `the file ${output} cannot be written: ${describeSystemError(error)}; name another file with --output.`,
    );
  }
  context.log(`wrote ${shownPath(file, context.cwd)}`);
}

export async function writeText(output: string, text: string, context: CliContext): Promise<void> {
  const pieces = async function* () {
    yield await Promise.resolve(text);
  };
  await writeOutput(output, pieces(), context);
}
