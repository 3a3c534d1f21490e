#!/usr/bin/env node
/** The command line. Each command is a file; what it needs is imported when it is called, so that help is quick. */

import { Command, CommanderError } from 'commander';
import { createContext, type CliContext } from './context.ts';
import { addDataCommand } from './data.ts';
import { addDoctorCommand } from './doctor.ts';
import { describeFailure, ExitCode, exitCodeOf } from './failures.ts';
import { addReportCommand } from './report.ts';
import { addRunCommand } from './run/command.ts';
import { addScriptedModelCommand } from './scripted-model.ts';
import { addServerCommand } from './server.ts';
import { addListCommand, addStatusCommand } from './status.ts';
import { version } from './version.ts';
import { addWorkerCommand } from './worker.ts';

/** A command's body; what it returns is the process's exit code. */
export type CommandBody<Options> = (options: Options, context: CliContext) => Promise<ExitCode>;

const isDebug = process.argv.includes('--debug');
const context = createContext(process, isDebug);

const program = new Command('tauflow')
  .description('Evaluates customer-service agents on tau-bench; every episode is a durable Temporal workflow.')
  .version(version)
  .option('--debug', 'show stack traces')
  .showHelpAfterError('(see --help)')
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text) });

for (const add of [
  addRunCommand,
  addReportCommand,
  addListCommand,
  addStatusCommand,
  addWorkerCommand,
  addServerCommand,
  addScriptedModelCommand,
  addDataCommand,
  addDoctorCommand,
]) {
  add(program, context);
}

try {
  await program.parseAsync();
  process.exit();
} catch (error) {
  // Commander has printed its own sentence.
  if (!(error instanceof CommanderError)) context.log(describeFailure(error, isDebug));
  process.exit(exitCodeOf(error));
}
