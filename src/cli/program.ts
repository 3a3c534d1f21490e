/** The command line as one program. Each command is a file; its body is imported when it is called. */

import { Command, CommanderError } from 'commander';
import { addCacheCommand } from './cache/command.ts';
import { addChatCommand } from './chat/command.ts';
import { addCheckRowCommand } from './check-row/command.ts';
import { addCodecServerCommand } from './codec-server.ts';
import { addCompareCommand } from './compare/command.ts';
import type { CliContext } from './context.ts';
import { addDataCommand } from './packs/command.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { describeFailure, exitCodeOf } from './failures.ts';
import { addReplayCommand } from './replay/command.ts';
import { addReportCommand } from './report/command.ts';
import { addScriptedModelCommand } from './scripted-model.ts';
import { addServerCommand } from './server.ts';
import { addListCommand, addStatusCommand } from './status/command.ts';
import {
  addCancelCommand,
  addPauseCommand,
  addResumeCommand,
  addRetryCommand,
  addSetCommand,
} from './steer/command.ts';
import { version } from '../host/surroundings.ts';

type AddCommand = (program: Command, context: CliContext, words: readonly string[]) => void | Promise<void>;

const COMMANDS: readonly AddCommand[] = [
  lazily({
    name: 'run',
    hasOptions: true,
    description: 'start a run, or resume the one with this --run-id, and report its results',
    load: async () => (await import('./run/command.ts')).defineRunCommand,
  }),
  addReportCommand,
  addCompareCommand,
  lazily({
    name: 'errors',
    hasOptions: true,
    args: '[run|file]',
    description:
      "have a model judge why episodes failed, in the form of tau-bench's auto_error_identification: whose fault, and " +
      "the agent's first one; the same command resumes it",
    load: async () => (await import('./errors/command.ts')).defineErrorsCommand,
  }),
  addListCommand,
  addStatusCommand,
  addPauseCommand,
  addResumeCommand,
  addCancelCommand,
  addSetCommand,
  addRetryCommand,
  lazily({
    name: 'fork',
    hasOptions: true,
    args: '<run> [episode]',
    description: 'run an episode again from one of its steps, as an episode of its own, with something changed',
    load: async () => (await import('./fork/command.ts')).defineForkCommand,
  }),
  addChatCommand,
  lazily({
    name: 'schedule',
    hasOptions: false,
    description: 'manage scheduled runs, each compared with the one before',
    load: async () => (await import('./schedule/command.ts')).defineScheduleCommand,
  }),
  lazily({
    name: 'worker',
    hasOptions: true,
    description: 'run a worker process; any number of them share the sweeps of a task queue',
    load: async () => (await import('./worker.ts')).defineWorkerCommand,
  }),
  addServerCommand,
  addCodecServerCommand,
  addScriptedModelCommand,
  lazily({
    name: 'regrade',
    hasOptions: true,
    args: '<file>',
    description:
      'replay the actions of any tau-bench results file, compare the rewards with the recorded ones and explain them; ' +
      'exits with 1 when a reward differs',
    load: async () => (await import('./regrade/command.ts')).defineRegradeCommand,
  }),
  addCheckRowCommand,
  addReplayCommand,
  addDataCommand,
  addCacheCommand,
  addDoctorCommand,
];

/**
 * Runs one command line. Never rejects: what goes wrong becomes one sentence on stderr and an exit code.
 * @param words without the names of Node and the program
 */
export async function runProgram(words: readonly string[], context: CliContext): Promise<void> {
  // Every command takes --debug, wherever it stands; it has been read already.
  const rest = words.filter((word) => word !== '--debug');
  try {
    const program = await createProgram(context, rest);
    await program.parseAsync(rest.length === 0 ? ['--help'] : rest, { from: 'user' });
  } catch (error) {
    // Commander has printed its own sentence.
    if (!(error instanceof CommanderError)) context.log(describeFailure(error, context.debug));
    context.end(exitCodeOf(error));
  }
}

async function createProgram(context: CliContext, words: readonly string[]): Promise<Command> {
  const program = new Command('tauflow')
    .description('Evaluates customer-service agents on tau-bench; every episode is a durable Temporal workflow.')
    .version(version)
    .option('--debug', 'show stack traces')
    .showHelpAfterError('(see --help)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.out(text.replace(/\n$/, '')),
      writeErr: (text) => context.log(text.replace(/\n$/, '')),
    });
  for (const add of COMMANDS) await add(program, context, words);
  return program;
}

interface LazyCommand {
  readonly name: string;
  /** Its line in the list of commands, besides the name. */
  readonly hasOptions: boolean;
  readonly args?: string;
  readonly description: string;
  /** @returns a function that gives the command its options, arguments and action */
  readonly load: () => Promise<(command: Command, context: CliContext) => void>;
}

/**
 * A command with flags that come from strategies, users and models. They are imported only when the command line has
 * its name; the list of commands needs a line alone.
 */
function lazily({ name, hasOptions, args, description, load }: LazyCommand): AddCommand {
  return async (program, context, words) => {
    const command = program.command(name).description(description);
    if (words.includes(name)) {
      (await load())(command, context);
      return;
    }
    if (hasOptions) command.option('--json');
    if (args !== undefined) command.arguments(args);
  };
}
