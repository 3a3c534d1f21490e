/** The compared tools: for each the command that a person types, and a reader of its results. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolvePack, type Pack } from '../../src/benchmarks/packs/index.ts';
import { isFinalOutcome } from '../../src/evaluation/index.ts';
import { RunLog } from '../../src/run-log/index.ts';
import type { ReferencePlace } from '../reference-rows.ts';
import { program } from '../sweep.ts';

export interface Work {
  /** The folder in which the tool is called: its home, and all that it writes. */
  readonly folder: string;
  readonly tasks: readonly number[];
  readonly concurrency: number;
  /** Tasks without a result so far. */
  readonly left: readonly number[];
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Results {
  /** Rewards of the tasks whose episodes came to their end. */
  readonly rewards: ReadonlyMap<number, number>;
  /** Episodes that a failure of the infrastructure ended, and that are in the results with reward 0. @default 0 */
  readonly scoredZero?: number;
}

export interface Tool {
  readonly name: string;
  readonly version: string;
  /** The tasks, as the scripted model is to know them. */
  readonly pack: Pack;
  /** True if a person must find out what is left, and name it in the next command. @default false */
  readonly isListedByHand?: boolean;
  /** The command that starts the work, and continues it. */
  command(work: Work): Command;
  read(work: Work): Results | Promise<Results>;
}

interface Place extends ReferencePlace {
  /** For imported packs. */
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

export const TOOLS = {
  tauflow: async (place) => tauflow(await importPack('tau-bench', place.dir, place.folder)),
  'run.py': tauBench,
  inspect,
  tau2,
} satisfies Record<string, (place: Place) => Promise<Tool>>;

export type ToolName = keyof typeof TOOLS;

/** `tauflow run`: the same command starts the run and resumes it. */
export function tauflow(pack: Pack): Tool {
  const runId = 'crashes';
  return {
    name: 'tauflow run',
    version: `Tauflow ${readVersion(join(program, '../../../package.json'))}`,
    pack,
    command({ tasks, concurrency }) {
      const flags = toFlags({
        'run-id': runId,
        env: pack.domain,
        pack: pack.ref.path,
        ...MODELS,
        'task-ids': tasks.join(','),
        'max-concurrency': concurrency,
      });
      return { program: process.execPath, args: [program, 'run', ...flags] };
    },
    async read({ folder, tasks }) {
      const log = new RunLog({ logDir: join(folder, 'results'), runId });
      const records = await Promise.all(tasks.map((taskId) => log.readEpisode({ taskId, trial: 0 })));
      const graded = records.flatMap((record) => record ?? []).filter(({ outcome }) => isFinalOutcome(outcome.kind));
      return { rewards: new Map(graded.map(({ taskId, reward }) => [taskId, reward])) };
    },
  };
}

/**
 * tau-bench's `run.py`. It continues nothing: a person runs it again with `--task-ids` for the tasks that its results
 * files lack or have with an error.
 */
async function tauBench({ dir, python, folder: packs }: Place): Promise<Tool> {
  const pack = await importPack('tau-bench', dir, packs);
  const litellm = runPython(python, ['-c', 'import importlib.metadata as m; print(m.version("litellm"))']);
  return {
    name: 'run.py',
    version: `tau-bench ${readVersion(join(pack.ref.path, 'pack.json'))}, LiteLLM ${litellm}`,
    pack,
    isListedByHand: true,
    command({ folder, concurrency, left }) {
      const flags = toFlags({
        env: 'retail',
        ...MODELS,
        'user-strategy': 'llm',
        'max-concurrency': concurrency,
        'log-dir': join(folder, 'results'),
      });
      const args = [join(dir, 'run.py'), ...flags, '--task-ids', ...left.map(String)];
      return { program: python, args, env: { PYTHONPATH: dir } };
    },
    read({ folder }) {
      const results = join(folder, 'results');
      const files = existsSync(results) ? readdirSync(results) : [];
      const entries = files.flatMap(
        (file) =>
          readJson<readonly { readonly task_id: number; readonly reward: number; readonly info: { error?: string } }[]>(
            join(results, file),
          ) ?? [],
      );
      const graded = entries.filter(({ info }) => info.error === undefined);
      return {
        rewards: new Map(graded.map((entry) => [entry.task_id, entry.reward])),
        scoredZero: entries.length - graded.length,
      };
    },
  };
}

/**
 * `inspect eval-set` with its cache of model output: the same command starts the set and continues it, and an episode
 * that begins again takes its earlier answers from the cache.
 */
async function inspect({ env: given, dir, folder: packs }: Place): Promise<Tool> {
  const python = given['INSPECT_PYTHON'] ?? 'python3';
  const script = fileURLToPath(new URL('./inspect_task.py', import.meta.url));
  const env = { PYTHONPATH: dir };
  return {
    name: 'inspect eval-set',
    version: `inspect-ai ${runPython(python, ['-c', 'import inspect_ai; print(inspect_ai.__version__)'])}`,
    pack: await importPack('tau-bench', dir, packs),
    command({ folder, tasks, concurrency }) {
      const flags = toFlags({
        model: 'openai/oracle',
        display: 'plain',
        'log-dir': join(folder, 'logs'),
        'log-buffer': 1,
        'max-samples': concurrency,
        cache: '1D',
      });
      const args = ['-m', 'inspect_ai', 'eval-set', `${script}@retail`, ...flags, '--continue-on-fail'];
      // Chat completions, as the others.
      return { program: python, args: [...args, '-M', 'responses_api=false', '-T', `tasks='${tasks.join(' ')}'`], env };
    },
    read({ folder }) {
      const logs = join(folder, 'logs');
      const printed = existsSync(logs) ? runPython(python, [script, logs], env) : '[]';
      return { rewards: new Map(JSON.parse(printed) as [number, number][]) };
    },
  };
}

/** `tau2 run --auto-resume`: the same command starts the run and continues it. */
async function tau2({ env, folder: packs }: Place): Promise<Tool> {
  const python = env['TAU2_PYTHON'] ?? 'python3';
  // It logs on its output too.
  const printed = runPython(python, ['-c', 'from tau2.utils.utils import DATA_DIR as d; print(d.parent)']);
  const checkout = printed.slice(printed.lastIndexOf('\n') + 1);
  const pack = await importPack('tau3', checkout, packs);
  return {
    name: 'tau2 run',
    version: `tau2 ${readVersion(join(pack.ref.path, 'pack.json'))}`,
    pack,
    command({ folder, tasks, concurrency }) {
      const data = join(folder, 'data');
      if (!existsSync(data)) {
        // It writes its results beside its data.
        mkdirSync(data);
        symlinkSync(join(checkout, 'data', 'tau2'), join(data, 'tau2'));
      }
      const flags = toFlags({
        domain: 'retail',
        'agent-llm': 'openai/oracle',
        'user-llm': 'openai/oracle',
        'max-concurrency': concurrency,
        // Enough for an outage of a minute: each is a further attempt at the whole episode.
        'max-retries': 10,
        'retry-delay': 10,
        'save-to': 'crashes',
      });
      const args = ['-m', 'tau2.cli', 'run', '--auto-resume', ...flags, '--task-ids', ...tasks.map(String)];
      return { program: python, args, env: { TAU2_DATA_DIR: data } };
    },
    read({ folder }) {
      const results = readJson<{
        readonly simulations: readonly {
          readonly task_id: string;
          readonly termination_reason: string;
          readonly reward_info: { readonly reward: number } | null;
        }[];
      }>(join(folder, 'data', 'simulations', 'crashes', 'results.json'));
      const graded = (results?.simulations ?? []).filter((one) => one.termination_reason !== 'infrastructure_error');
      return { rewards: new Map(graded.map((one) => [Number(one.task_id), one.reward_info?.reward ?? 0])) };
    },
  };
}

const MODELS = {
  'agent-strategy': 'tool-calling',
  model: 'oracle',
  'model-provider': 'openai',
  'user-model': 'oracle',
  'user-model-provider': 'openai',
};

function toFlags(values: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]);
}

function runPython(python: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(python, args, { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, ...env } }).trim();
}

async function importPack(benchmark: 'tau-bench' | 'tau3', checkout: string, folder: string): Promise<Pack> {
  const name = benchmark === 'tau3' ? 'tau3-retail' : 'retail';
  const args = ['data', 'import', '--benchmark', benchmark, checkout, '--env', 'retail', '--name', name];
  const path = join(folder, name);
  if (!existsSync(path)) execFileSync(process.execPath, [program, ...args, '--out', folder], { stdio: 'pipe' });
  return await resolvePack(name, path);
}

/** @returns the version that a pack was imported with, or a package's */
function readVersion(file: string): string {
  return readJson<{ readonly version: string }>(file)?.version ?? 'unknown';
}

/** @returns null for a file that is missing or breaks off, because a crash came while it was written */
function readJson<T>(file: string): T | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
