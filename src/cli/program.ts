/** The command line as one program. A command's files are imported only when the command line names it. */

import { Command, CommanderError } from 'commander';
import { ExitCode, TauflowError, firstLine } from '../errors/index.ts';
import { version } from '../host/surroundings.ts';
import { isConnectionLost, type CliContext } from './context.ts';

interface CommandEntry {
  readonly name: string;
  /** The rest of its usage line in the list of commands. */
  readonly usage: string;
  readonly description: string;
  /** @returns a function that gives the command its options, arguments and action */
  readonly load: () => Promise<(command: Command, context: CliContext) => void>;
}

/** In the order of the list that `--help` prints. */
const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    usage: '[options]',
    description: 'start a run, or resume the one with this --run-id, and report its results',
    load: async () => (await import('./run/command.ts')).defineRunCommand,
  },
  {
    name: 'report',
    usage: '[options] <run|file...>',
    description: 'show the results of runs, or of any tau-bench results files',
    load: async () => (await import('./report/report.ts')).defineReportCommand,
  },
  {
    name: 'compare',
    usage: '[options] <runs...>',
    description: 'compare runs or results files task by task, with confidence intervals',
    load: async () => (await import('./commands/compare.ts')).defineCompareCommand,
  },
  {
    name: 'errors',
    usage: '[options] [run|file]',
    description:
      "have a model judge why episodes failed, in the form of tau-bench's auto_error_identification: whose fault, and " +
      "the agent's first one; the same command resumes it",
    load: async () => (await import('./errors/errors.ts')).defineErrorsCommand,
  },
  {
    name: 'list',
    usage: '[options]',
    description: 'list the runs of a log folder and of its server',
    load: async () => (await import('./status/list.ts')).defineListCommand,
  },
  {
    name: 'status',
    usage: '[options] <run>',
    description: 'show the progress, costs and failures of a run',
    load: async () => (await import('./status/status.ts')).defineStatusCommand,
  },
  {
    name: 'pause',
    usage: '[options] <run>',
    description: 'open no further episodes; open ones continue to their end',
    load: async () => (await import('./steer/command.ts')).definePauseCommand,
  },
  {
    name: 'resume',
    usage: '[options] <run>',
    description: 'continue a run that is paused, has infrastructure errors, or ended early',
    load: async () => (await import('./steer/command.ts')).defineResumeCommand,
  },
  {
    name: 'cancel',
    usage: '[options] <run> [episodes...]',
    description: 'cancel a run, or single episodes of it; episodes that have ended are kept',
    load: async () => (await import('./steer/command.ts')).defineCancelCommand,
  },
  {
    name: 'set',
    usage: '[options] <run>',
    description: 'change the limits of a run in progress',
    load: async () => (await import('./steer/command.ts')).defineSetCommand,
  },
  {
    name: 'retry',
    usage: '[options] <run> [episodes...]',
    description: 'run episodes again (default: those that were cancelled or failed in infrastructure)',
    load: async () => (await import('./steer/command.ts')).defineRetryCommand,
  },
  {
    name: 'fork',
    usage: '[options] <run> [episode]',
    description: 'run an episode again from one of its steps, with something changed; the original stays',
    load: async () => (await import('./fork/fork.ts')).defineForkCommand,
  },
  {
    name: 'chat',
    usage: '[options] [run] [episode]',
    description: 'answer the agent as the human user of an episode, or list the episodes that wait',
    load: async () => (await import('./chat/chat.ts')).defineChatCommand,
  },
  {
    name: 'schedule',
    usage: '[command]',
    description: 'manage scheduled runs, each compared with the one before',
    load: async () => (await import('./schedule/schedule.ts')).defineScheduleCommand,
  },
  {
    name: 'worker',
    usage: '[options]',
    description: 'run a worker process; any number of them share the runs of a task queue',
    load: async () => (await import('./commands/worker.ts')).defineWorkerCommand,
  },
  {
    name: 'server',
    usage: '[options] [command]',
    description: 'run the local Temporal dev server in the foreground',
    load: async () => (await import('./commands/server.ts')).defineServerCommand,
  },
  {
    name: 'codec-server',
    usage: '[options]',
    description: 'decrypt payloads for Temporal UI, with the keys in TAUFLOW_ENCRYPTION_KEY; loopback only',
    load: async () => (await import('./commands/codec-server.ts')).defineCodecServerCommand,
  },
  {
    name: 'scripted-model',
    usage: '[options]',
    description: 'serve the scripted model: an OpenAI-compatible loopback server for the agent and the user',
    load: async () => (await import('./commands/scripted-model.ts')).defineScriptedModelCommand,
  },
  {
    name: 'regrade',
    usage: '[options] <file>',
    description:
      'replay the actions of any tau-bench results file, compare the rewards with the recorded ones and explain them; ' +
      'exits with 1 when a reward differs',
    load: async () => (await import('./regrade/command.ts')).defineRegradeCommand,
  },
  {
    name: 'check-row',
    usage: '[options] <figures...>',
    description: 'check that a published row of pass^1, pass^2, … is arithmetically possible',
    load: async () => (await import('./commands/check-row.ts')).defineCheckRowCommand,
  },
  {
    name: 'replay',
    usage: '[options]',
    description:
      'apply actions to fresh data and print the observations: one JSON line {"steps": [{"name", "kwargs"}, …]} in, ' +
      'one out; or replay the ground truth of tasks',
    load: async () => (await import('./commands/replay.ts')).defineReplayCommand,
  },
  {
    name: 'data',
    usage: '[command]',
    description: 'domain packs: list, verify, import, generate',
    load: async () => (await import('./packs/data.ts')).defineDataCommand,
  },
  {
    name: 'cache',
    usage: '[options] [command]',
    description: 'show the completions that --response-cache has stored on this machine, or delete them',
    load: async () => (await import('./commands/cache.ts')).defineCacheCommand,
  },
  {
    name: 'models',
    usage: '[options] [name]',
    description: 'show what a run sends to a model: wire, settings, limits and prices; or list providers and rules',
    load: async () => (await import('./commands/models.ts')).defineModelsCommand,
  },
  {
    name: 'doctor',
    usage: '[options]',
    description: 'check Node, Temporal, packs and keys (set or not, never shown)',
    load: async () => (await import('./commands/doctor.ts')).defineDoctorCommand,
  },
];

/**
 * Runs one command line. Never rejects: what goes wrong becomes one sentence on stderr and an exit code.
 * @param words without the names of Node and the program
 */
export async function runProgram(words: readonly string[], context: CliContext): Promise<void> {
  // Every command takes --debug, in any position; it has been read already.
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
    // As in the command's own help, although its flags have not been imported.
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .configureOutput({
      writeOut: (text) => context.out(text.replace(/\n$/, '')),
      writeErr: (text) => context.log(text.replace(/\n$/, '')),
    });
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const named = first === 'help' ? second : first;
  for (const { name, usage, description, load } of COMMANDS) {
    const command = program.command(name).description(description);
    if (name === named) (await load())(command, context);
    else command.usage(usage);
  }
  return program;
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof TauflowError) return error.exitCode;
  if (isConnectionLost(error)) return ExitCode.Unreachable;
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.Usage;
  return ExitCode.Failed;
}

/** Returns the text of an error for people. */
export function describeFailure(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error) return `error: ${error.stack ?? error.message}`;
  const known = exitCodeOf(error) !== ExitCode.Failed;
  return known
    ? `error: ${firstLine(error)}`
    : `error: ${firstLine(error)} (this is unexpected; --debug shows where it arose)`;
}
