/** Shell completion: commands, their flags, values of flags with few choices, and runs of the log folder. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { formatFlag, runOptions } from '../run-setup/options/index.ts';

/**
 * Adds the command that prints a shell's script, and the hidden `complete`, which the script calls at each completion.
 * @param name name of the first command
 * @param program with the flags of the command that is completed
 */
export function addCompletion(program: Command, name: string, cwd: string): void {
  const completion = tab(program, { completionCommandName: name });
  for (const [commandName, command] of completion.commands) {
    for (const [flag, option] of command.options) {
      const values = suggestedFor(flag);
      if (values !== undefined) command.option(flag, option.description, suggestValues(values), option.alias);
    }
    const defined = program.commands.find((each) => each.name() === commandName);
    const run = defined?.registeredArguments.find((each) => /^runs?\b/.test(each.name()));
    const runs = () => runsIn(join(cwd, 'results'));
    if (run !== undefined) command.argument(run.name(), suggestValues(runs), run.variadic);
  }
}

/**
 * Finds the suggested values of a flag by the end of its name: `--user-model-provider` has the values of
 * `--model-provider`.
 */
function suggestedFor(flag: string): (() => readonly string[]) | undefined {
  return runOptions.find(
    ([name, { suggested }]) => suggested !== undefined && `--${flag}`.endsWith(formatFlag(name).slice(2)),
  )?.[1].suggested;
}

function suggestValues(values: () => readonly string[]) {
  return (suggest: (value: string, description: string) => void) => {
    for (const value of values()) suggest(value, '');
  };
}

/** Returns the names of runs; empty without a log folder, because completion reports no errors. */
function runsIn(logDir: string): string[] {
  try {
    return readdirSync(logDir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
