/**
 * Costs of τ³-bench's environment and grade, in this process, on the packs that are imported; and telecom, and banking by
 * the adapter, beside `tau2 run`.
 */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
  callTool,
  gradeTau3,
  prepareTask,
  tau3Domains,
  type Tau3Episode,
  type PreparedTask,
} from '../src/benchmarks/tau3/index.ts';
import type { Pack } from '../src/benchmarks/packs/index.ts';
import { ms, race, type Row } from './table.ts';
import { rowsBeside } from './reference-rows.ts';
import { sweepSection } from './sweep-rows.ts';
import { start, type Child } from './processes.ts';
import type { MeasuredSweep, SweepSpec } from './sweep.ts';

const ROUNDS = 7;

/** Each task's ground truth is played and graded. @returns none for a pack of tau-bench */
export function tau3Rows(pack: Pack, split: string): Row[] {
  const domain = tau3Domains.get(pack.domain);
  if (domain === undefined) return [];
  const section = `τ³-bench, in one process (${pack.ref.name}, ${split})`;
  const tasks = (pack.splits[split] ?? []).flatMap(({ content }) =>
    content === undefined ? [] : [prepareTask(domain, pack, content)],
  );
  const episodes = tasks.map((task) => [task, toTrueEpisode(task)] as const);
  const steps = episodes.reduce((total, [, { messages }]) => total + messages.length, 0);
  const took = race(
    {
      step: { run: () => episodes.map(([task, episode]) => play(task, episode)), units: steps },
      grade: { run: () => episodes.map(([task, episode]) => gradeTau3(task, episode)), units: episodes.length },
    },
    ROUNDS,
  );
  return [
    { section, name: 'step', measured: ms(took.step), target: { atMost: 0.05, of: 'measured' } },
    { section, name: 'grade without a judge', measured: ms(took.grade), target: { atMost: 2, of: 'measured' } },
  ];
}

export interface Tau2Place {
  readonly python: string;
  /** The checkout whose data the package reads. */
  readonly checkout: string;
}

/** A Python that has tau2 (`TAU2_PYTHON`, else python3); null where there is none. */
export function findTau2(env: NodeJS.ProcessEnv): Tau2Place | null {
  const python = env['TAU2_PYTHON'] ?? 'python3';
  const script = 'from tau2.utils.utils import DATA_DIR as d; print(d.parent)';
  try {
    const printed = execFileSync(python, ['-c', script], { encoding: 'utf8', stdio: 'pipe' });
    return { python, checkout: printed.trim().split('\n').at(-1) ?? '' };
  } catch {
    return null;
  }
}

/** Name of its results. */
const NAME = 'bench';

/** Trials of each task: fifteen tasks of telecom have instructions of their own. */
const TRIALS = 4;

/**
 * The sweep that both sides run: telecom's tasks whose instruction no earlier task has, which the scripted user can distinguish
 * whatever a run's seeds are, and whose grade needs no judge.
 */
export function comparedSpec(pack: Pack): SweepSpec {
  const tasks = pack.splits['base'] ?? [];
  const first = tasks.map((task) => tasks.findIndex(({ instruction }) => instruction === task.instruction));
  const taskIds = first.flatMap((of, at) => (of === at ? [at] : []));
  return { pack, split: 'base', strategy: 'tool-calling', taskIds, trials: TRIALS, latencyMs: 100, concurrency: 10 };
}

/** Tasks of banking that both sides play, once. */
const BANKING_TASKS = 50;

/** The sweeps on the adapter that both sides run, with few and with many episodes at once. */
export function bankingSpecs(pack: Pack, environmentPid: number): SweepSpec[] {
  const tasks = pack.splits['base'] ?? [];
  const taskIds = tasks.flatMap(({ sentences = [] }, at) => (sentences.length === 0 ? [at] : []));
  const common = { pack, split: 'base', strategy: 'tool-calling', trials: 1, latencyMs: 100, environmentPid };
  return [10, 50].map((concurrency) => ({ ...common, taskIds: taskIds.slice(0, BANKING_TASKS), concurrency }));
}

/** Starts the adapter on tau2's package. */
export async function startAdapter(python: string): Promise<{ readonly child: Child; readonly url: string }> {
  const folder = fileURLToPath(new URL('../adapters/tau2', import.meta.url));
  const child = start(python, ['-m', 'tauflow_tau2', '--port', '0'], { cwd: folder, env: process.env });
  const [, url = ''] = await child.line(/listening on (\S+)/);
  return { child, url };
}

/** `tau2 run` writes its results beside its data: to a folder with a link to these. */
async function placeTau2Results(
  folder: string,
  checkout: string,
  name: string,
): Promise<{ readonly data: string; readonly file: string }> {
  const data = join(folder, 'data');
  if (!existsSync(data)) {
    await mkdir(data);
    await symlink(join(checkout, 'data', 'tau2'), join(data, 'tau2'));
  }
  return { data, file: join(data, 'simulations', name, 'results.json') };
}

/** Rows of `tau2 run` on the same tasks as `ours`, which was measured a moment ago. */
export async function tau2Rows({ python, checkout }: Tau2Place, ours: MeasuredSweep): Promise<Row[]> {
  const { pack, split, taskIds, trials, concurrency } = ours.spec;
  const ids = taskIds.flatMap((at) => {
    const task = pack.splits[split]?.[at];
    const id = task?.content?.get('id') ?? task?.name;
    return typeof id === 'string' ? [id] : [];
  });
  const { domain = 'telecom', options = {} } = pack.ref.environment ?? {};
  const retrieval = options['retrieval_variant'];
  const flags = {
    domain,
    ...(typeof retrieval === 'string' ? { 'retrieval-config': retrieval } : {}),
    'agent-llm': 'openai/oracle',
    'user-llm': 'openai/oracle',
    'num-trials': trials,
    'max-concurrency': concurrency,
    'max-retries': 3,
    'log-level': 'ERROR',
    'save-to': NAME,
  };
  return rowsBeside(ours, async (folder) => {
    const { data, file } = await placeTau2Results(folder, checkout, NAME);
    return {
      section: `${sweepSection(ours.spec)}: tau2 run`,
      python,
      args: [
        ...['-m', 'tau2.cli', 'run'],
        ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
        ...['--task-ids', ...ids],
      ],
      cwd: folder,
      env: { TAU2_DATA_DIR: data },
      begins: /Running task/,
      outcome: async () => {
        const { simulations } = JSON.parse(await readFile(file, 'utf8')) as Tau2Results;
        return { solved: simulations.filter(({ reward_info: graded }) => graded?.reward === 1).length };
      },
    };
  });
}

/** The fields that are read of its results file. */
interface Tau2Results {
  readonly simulations: readonly { readonly reward_info: { readonly reward: number } | null }[];
}

function toTrueEpisode({ criteria }: PreparedTask): Tau3Episode {
  const calls = criteria?.actions ?? [];
  return {
    messages: calls.map((call) => ({ role: call.requestor ?? 'assistant', text: null, calls: [call] })),
    termination: 'user_stop',
  };
}

function play({ domain, start }: PreparedTask, { messages }: Tau3Episode): unknown {
  const state = start.copy();
  return messages.map((message) =>
    message.role === 'tool' ? [] : (message.calls ?? []).map((call) => callTool(domain, state, call)),
  );
}
