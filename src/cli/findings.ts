/** Prints the findings of the commands `agent check`, `benchmark check` and `env check`. */

import { ExitCode } from '../errors/index.ts';
import type { CheckFinding } from '../io/index.ts';
import { printJson, type CliContext } from './context.ts';

/** The end of the help of a command that prints findings. */
export const CHECK_EXIT_CODES = '\nExits with 1 where something is wrong, with 3 where nothing answers.';

/**
 * Prints each finding at once, or all as one JSON document, and ends the command with 1 if something is wrong.
 * @param about fields of the JSON document that name what was checked
 */
export async function reportFindings(
  about: Readonly<Record<string, unknown>>,
  { json }: { readonly json: boolean },
  context: CliContext,
  check: (onFinding: (finding: CheckFinding) => void) => Promise<void>,
): Promise<void> {
  const findings: CheckFinding[] = [];
  await check((finding) => {
    findings.push(finding);
    if (!json) for (const line of formatFinding(finding)) context.out(line);
  });
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  if (json) printJson({ format_version: 1, ...about, findings }, context);
  else context.out(wrong === 0 ? 'Nothing is wrong.' : `${wrong} of ${findings.length} checks found something wrong.`);
  if (wrong > 0) context.end(ExitCode.Failed);
}

const MARKS = { right: '✓', note: '–', wrong: '✗' } as const;
const WIDTH = 14;

function formatFinding({ check, state, message, cost }: CheckFinding): string[] {
  const first = `${MARKS[state]} ${check.padEnd(WIDTH)} ${message}`;
  return cost === undefined ? [first] : [first, `${' '.repeat(WIDTH + 3)}in a run: ${cost}`];
}
