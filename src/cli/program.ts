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
import { addErrorsCommand } from './errors/command.ts';
import { addForkCommand } from './fork/command.ts';
import { addRegradeCommand } from './regrade/command.ts';
import { addReplayCommand } from './replay/command.ts';
import { addReportCommand } from './report/command.ts';
import { addRunCommand } from './run/command.ts';
import { addScheduleCommand } from './schedule/command.ts';
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
import { addWorkerCommand } from './worker.ts';

const COMMANDS = [
  addRunCommand,
  addReportCommand,
  addCompareCommand,
  addErrorsCommand,
  addListCommand,
  addStatusCommand,
  addPauseCommand,
  addResumeCommand,
  addCancelCommand,
  addSetCommand,
  addRetryCommand,
  addForkCommand,
  addChatCommand,
  addScheduleCommand,
  addWorkerCommand,
  addServerCommand,
  addCodecServerCommand,
  addScriptedModelCommand,
  addRegradeCommand,
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
  const program = createProgram(context);
  // Every command takes --debug, wherever it stands; it has been read already.
  const rest = words.filter((word) => word !== '--debug');
  try {
    await program.parseAsync(rest.length === 0 ? ['--help'] : rest, { from: 'user' });
  } catch (error) {
    // Commander has printed its own sentence.
    if (!(error instanceof CommanderError)) context.log(describeFailure(error, context.debug));
    context.end(exitCodeOf(error));
  }
}

function createProgram(context: CliContext): Command {
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
  for (const add of COMMANDS) add(program, context);
  return program;
}
