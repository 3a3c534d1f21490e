/** The chaos harness's flags. */

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  /** Decides the faults of the model, and the injected failures. */
  readonly seed: number;
  readonly episodes: number;
  /** Worker processes that are kept up. */
  readonly workers: number;
  /** Injected failures, each of which may kill several processes. */
  readonly kills: number;
  readonly strategy: string;
  /** Command that serves an agent on the port that is added to it, instead of the strategy; null: none. */
  readonly agent: string | null;
  /** Command that serves the environment on the port that is added to it; null: none. */
  readonly environment: string | null;
  readonly model: string;
  /** Folder of the tasks; null: those that are shipped. */
  readonly pack: string | null;
  /** Episodes open at once. */
  readonly concurrency: number;
  /** Latency of the model, as its command has it. */
  readonly latency: string;
  /** Time after which the harness gives up. */
  readonly minutes: number;
  readonly json: boolean;
  /** Leaves the folder with the run logs, the server's database and the model's logs. */
  readonly keep: boolean;
}

/** Failures of calls that can be tried again; arguments are malformed in the reference as well. */
export const API_FAULTS = '429=0.05,500=0.02,reset=0.01,hang=0.01';
export const ARGUMENTS_FAULT = 'arguments=0.01';
/** Time of one model call: a hanging one is given up after it. */
export const CALL_TIMEOUT = '4s';

export const HELP = `npm run chaos -- [flags]

Runs a sweep undisturbed, and once more while its processes are killed (SIGKILL) at random moments: workers, the
Temporal server, the command that follows the sweep, and several of them at once; some workers are asked to end
(SIGTERM); with --agent or --environment, that service and the processes that it has started are killed as well. The scripted model, which
is never killed, answers ${API_FAULTS}. Then both runs are compared.

  --seed N           draws faults, failures and their moments (default: 1)
  --episodes N       episodes of the sweep (default: 120)
  --workers N        worker processes (default: 3)
  --kills N          injected failures (default: 16)
  --strategy NAME    agent strategy (default: tool-calling); the adapter of fastworkflow-python is killed as well
  --agent COMMAND    an agent that is a service instead, at the port that is added to the command
  --environment COMMAND
                     an environment service, at the port that is added to the command; not with --agent
  --model NAME       the scripted model's variant (default: oracle:0.8)
  --pack FOLDER      the tasks (default: those that are shipped)
  --concurrency N    episodes open at once (default: 12)
  --latency TIME     of the model (default: 200ms)
  --minutes N        gives up after so long (default: 15)
  --json             one JSON document instead of the table
  --keep             leave the folder with run logs and logs of the calls

Exit code 0: no difference; 1: a difference, or a broken guarantee; 2: bad usage.`;

/** @returns a text to print instead. @throws TypeError for flags that do not exist or have no number */
export function readOptions(args: readonly string[]): ChaosOptions | string {
  const text = { type: 'string' } as const;
  const yes = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: text,
      episodes: text,
      workers: text,
      kills: text,
      strategy: text,
      agent: text,
      environment: text,
      model: text,
      pack: text,
      concurrency: text,
      latency: text,
      minutes: text,
      json: yes,
      keep: yes,
      help: yes,
    },
  });
  if (values.help === true) return HELP;
  if (values.agent !== undefined && values.environment !== undefined) {
    throw new TypeError('give --agent or --environment, not both');
  }
  const count = (flag: 'seed' | 'episodes' | 'workers' | 'kills' | 'concurrency' | 'minutes', usual: number) => {
    const given = values[flag];
    if (given === undefined) return usual;
    if (/^\d{1,6}$/.test(given) && (Number(given) > 0 || flag === 'seed' || flag === 'kills')) return Number(given);
    throw new TypeError(`--${flag} ${given} is no count`);
  };
  return {
    seed: count('seed', 1),
    episodes: count('episodes', 120),
    workers: count('workers', 3),
    kills: count('kills', 16),
    strategy: values.strategy ?? 'tool-calling',
    agent: values.agent ?? null,
    environment: values.environment ?? null,
    model: values.model ?? 'oracle:0.8',
    pack: values.pack === undefined ? null : resolve(values.pack),
    concurrency: count('concurrency', 12),
    latency: values.latency ?? '200ms',
    minutes: count('minutes', 15),
    json: values.json === true,
    keep: values.keep === true,
  };
}
