/** The command line as one program. A command's files are imported only when the command line names it. */

import { Command, CommanderError } from 'commander';
import { ExitCode, TauflowError, firstLine } from '../errors/index.ts';
import { version } from '../host/surroundings.ts';
import { isConnectionLost, type CliContext } from './context.ts';
import { HELP_FORMAT } from './help.ts';
import { explainRemovedFlag } from './options/removed.ts';

interface CommandEntry {
  /** A line of the list that `--help` prints. */
  readonly summary: string;
  /** First paragraph of the command's own help. @default the summary */
  readonly description?: string;
  /** Loads the command. @returns a function that adds its options, arguments and action */
  readonly load: () => Promise<(command: Command, context: CliContext) => void>;
}

/** The command that prints a shell's completion script. The script calls a hidden command. */
const COMPLETION = 'completion';
const COMPLETE = 'complete';

/** Commands by group and name, in the order of `--help`. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, CommandEntry>>>> = {
  Run: {
    run: {
      summary: 'start or resume a run, and report its results',
      description: 'start a run, or resume the one with this --run-id, and report its results',
      load: async () => (await import('./run/command.ts')).defineRunCommand,
    },
    fork: {
      summary: 'run an episode again from one of its steps, with a change',
      description: 'run an episode again from one of its steps, with something changed; the original stays',
      load: async () => (await import('./fork/fork.ts')).defineForkCommand,
    },
    chat: {
      summary: 'answer the agent as the human user of an episode',
      description: 'answer the agent as the human user of an episode, or list the episodes that wait',
      load: async () => (await import('./chat/chat.ts')).defineChatCommand,
    },
    schedule: {
      summary: 'manage scheduled runs, each compared with the one before',
      load: async () => (await import('./schedule/schedule.ts')).defineScheduleCommand,
    },
  },
  Look: {
    list: {
      summary: 'list the runs of a log folder and of its server',
      load: async () => (await import('./status/list.ts')).defineListCommand,
    },
    status: {
      summary: 'show the progress, costs and failures of a run',
      load: async () => (await import('./status/status.ts')).defineStatusCommand,
    },
    view: {
      summary: 'look at runs in a browser, also while they go on',
      description: 'serve the runs of a log folder to a browser on this machine, also while they go on',
      load: async () => (await import('./commands/view.ts')).defineViewCommand,
    },
    report: {
      summary: 'show the results of runs, or of tau-bench results files',
      description: 'show the results of runs, or of any tau-bench results files',
      load: async () => (await import('./report/report.ts')).defineReportCommand,
    },
    errors: {
      summary: 'have a model judge why episodes failed',
      description:
        "have a model judge why episodes failed, in the form of tau-bench's auto_error_identification: whose fault, and " +
        "the agent's first one; the same command resumes it",
      load: async () => (await import('./errors/errors.ts')).defineErrorsCommand,
    },
    export: {
      summary: 'write a run for Inspect, or as a table of episodes or steps',
      load: async () => (await import('./report/export.ts')).defineExportCommand,
    },
  },
  Compare: {
    compare: {
      summary: 'compare runs or results files task by task',
      description: 'compare runs or results files task by task, with confidence intervals',
      load: async () => (await import('./commands/compare.ts')).defineCompareCommand,
    },
    baseline: {
      summary: 'give names to the runs that others are compared with',
      load: async () => (await import('./commands/baseline.ts')).defineBaselineCommand,
    },
    regrade: {
      summary: 'replay a results file and compare its rewards',
      description:
        'replay the actions of any tau-bench results file, compare the rewards with the recorded ones and explain them; ' +
        'exits with 1 when a reward differs',
      load: async () => (await import('./regrade/command.ts')).defineRegradeCommand,
    },
  },
  Steer: {
    pause: {
      summary: 'open no further episodes; open ones continue',
      description: 'open no further episodes; open ones continue to their end',
      load: async () => (await import('./steer/command.ts')).definePauseCommand,
    },
    resume: {
      summary: 'continue a run that is paused, has errors, or ended early',
      description: 'continue a run that is paused, has infrastructure errors, or ended early',
      load: async () => (await import('./steer/command.ts')).defineResumeCommand,
    },
    set: {
      summary: 'change the limits of a run in progress',
      load: async () => (await import('./steer/command.ts')).defineSetCommand,
    },
    retry: {
      summary: 'run episodes again that were canceled or failed',
      description: 'run episodes again (default: those that were canceled or failed in infrastructure)',
      load: async () => (await import('./steer/command.ts')).defineRetryCommand,
    },
    cancel: {
      summary: 'cancel a run, or single episodes of it',
      description: 'cancel a run, or single episodes of it; episodes that have ended are kept',
      load: async () => (await import('./steer/command.ts')).defineCancelCommand,
    },
  },
  Serve: {
    worker: {
      summary: 'run a worker process; any number of them share the runs',
      description: 'run a worker process; any number of them share the runs of a task queue',
      load: async () => (await import('./commands/worker.ts')).defineWorkerCommand,
    },
    server: {
      summary: 'run the local Temporal dev server',
      description: 'run the local Temporal dev server in the foreground',
      load: async () => (await import('./commands/server.ts')).defineServerCommand,
    },
    'codec-server': {
      summary: 'decrypt payloads for Temporal UI',
      description: 'decrypt payloads for Temporal UI, with the keys in TAUFLOW_ENCRYPTION_KEY; loopback only',
      load: async () => (await import('./commands/codec-server.ts')).defineCodecServerCommand,
    },
    serve: {
      summary: 'offer a task to an MCP client, or runs to A2A clients',
      load: async () => (await import('./serve/command.ts')).defineServeCommand,
    },
    'scripted-model': {
      summary: 'serve the scripted model',
      description: 'serve the scripted model: an OpenAI-compatible loopback server for the agent and the user',
      load: async () => (await import('./commands/scripted-model.ts')).defineScriptedModelCommand,
    },
  },
  Data: {
    sync: {
      summary: 'copy run logs to an object store, or back',
      description:
        'copy what differs from a log folder to s3://bucket/prefix, or back; deletes nothing, and a run that is copied ' +
        'again is completed',
      load: async () => (await import('./commands/sync.ts')).defineSyncCommand,
    },
    data: {
      summary: 'domain packs: list, verify, import, generate',
      load: async () => (await import('./packs/data.ts')).defineDataCommand,
    },
    replay: {
      summary: 'apply actions to fresh data and print the observations',
      description:
        'apply actions to fresh data and print the observations: one JSON line {"steps": [{"name", "kwargs"}, …]} in, ' +
        'one out; or replay the ground truth of tasks',
      load: async () => (await import('./commands/replay.ts')).defineReplayCommand,
    },
  },
  'Set up': {
    benchmark: {
      summary: 'make a benchmark of your own tasks, or check one',
      load: async () => (await import('./benchmark/command.ts')).defineBenchmarkCommand,
    },
    agent: {
      summary: 'check an agent that is a service, or make one of a file',
      load: async () => (await import('./agent/command.ts')).defineAgentCommand,
    },
    env: {
      summary: 'check an environment service',
      load: async () => (await import('./env/command.ts')).defineEnvCommand,
    },
    models: {
      summary: 'show what a run sends to a model; or list providers',
      description: 'show what a run sends to a model: wire, settings, limits and prices; or list providers and rules',
      load: async () => (await import('./commands/models.ts')).defineModelsCommand,
    },
    cache: {
      summary: 'show or delete the completions of --response-cache',
      description: 'show the completions that --response-cache has stored on this machine, or delete them',
      load: async () => (await import('./commands/cache.ts')).defineCacheCommand,
    },
    doctor: {
      summary: 'check Node, Temporal, packs and keys',
      description: 'check Node, Temporal, packs and keys (set or not, never shown)',
      load: async () => (await import('./commands/doctor.ts')).defineDoctorCommand,
    },
  },
};

/**
 * Runs a command line. Never rejects: an error becomes one sentence on stderr and an exit code.
 * @param words arguments, without the names of Node and the program
 */
export async function runProgram(words: readonly string[], context: CliContext): Promise<void> {
  // Every command takes --debug, in any position; it has been read already.
  const rest = words.filter((word) => word !== '--debug');
  try {
    const program = await createProgram(context, rest);
    await program.parseAsync(rest.length === 0 ? ['--help'] : rest, { from: 'user' });
  } catch (error) {
    // Commander has printed its own sentence.
    if (!(error instanceof CommanderError)) context.log(await describeWithFlags(error, rest, context));
    context.end(toExitCode(error));
  }
}

async function describeWithFlags(error: unknown, words: readonly string[], { debug }: CliContext): Promise<string> {
  const message = describeFailure(error, debug);
  if (toExitCode(error) !== ExitCode.Usage) return message;
  const { withTypedFlags } = await import('./options/flags.ts');
  return withTypedFlags(message, words);
}

async function createProgram(context: CliContext, words: readonly string[]): Promise<Command> {
  const program = new Command('tauflow')
    .description('Evaluates customer-service agents on tau-bench; every episode is a durable Temporal workflow.')
    .version(version)
    .option('--debug', 'show stack traces')
    .showHelpAfterError('(see --help)')
    .exitOverride()
    .configureHelp(HELP_FORMAT)
    .configureOutput({
      writeOut: (text) => context.out(text.replace(/\n$/, '')),
      writeErr: (text) => context.log(text.replace(/\n$/, '')),
      outputError: (text, write) => write(explainRemovedFlag(text)),
    });
  const [first, second] = words.filter((word) => !word.startsWith('-'));
  const named = first === 'help' || first === COMPLETE ? second : first;
  for (const [group, commands] of Object.entries(COMMANDS)) {
    for (const [name, { summary, description, load }] of Object.entries(commands)) {
      const command = program.command(name).description(summary).helpGroup(`${group}:`);
      if (name !== named) continue;
      (await load())(command.description(description ?? summary), context);
    }
  }
  if (first === COMPLETION || first === COMPLETE) {
    (await import('./completion.ts')).addCompletion(program, COMPLETION, context.cwd);
  } else {
    program.command(COMPLETION).description('print the completion script of a shell').helpGroup('Set up:');
  }
  return program;
}

export function toExitCode(error: unknown): ExitCode {
  if (error instanceof TauflowError) return error.exitCode;
  if (isConnectionLost(error)) return ExitCode.Unreachable;
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Done : ExitCode.Usage;
  return ExitCode.Failed;
}

export function describeFailure(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error) return `error: ${error.stack ?? error.message}`;
  const known = toExitCode(error) !== ExitCode.Failed;
  return known
    ? `error: ${firstLine(error)}`
    : `error: ${firstLine(error)} (this is unexpected; --debug shows where it arose)`;
}
