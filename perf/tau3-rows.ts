/** Costs of τ³-bench's environment and grade, in this process, on the packs that are imported. */

import {
  callTool,
  gradeTau3,
  prepareTask,
  tau3Domains,
  type PlayedEpisode,
  type PreparedTask,
} from '../src/benchmark/tau3/index.ts';
import type { Pack } from '../src/packs/index.ts';
import { ms, race, type Row } from './table.ts';

const ROUNDS = 7;

/** Each task's ground truth is played and graded. @returns none for a pack of tau-bench */
export function tau3Rows(pack: Pack, split: string): Row[] {
  const domain = tau3Domains.get(pack.domain);
  if (domain === undefined) return [];
  const section = `τ³-bench, in one process (${pack.ref.name}, ${split})`;
  const tasks = (pack.splits[split] ?? []).flatMap(({ tau3 }) =>
    tau3 === undefined ? [] : [prepareTask(domain, pack, tau3)],
  );
  const episodes = tasks.map((task) => [task, truthOf(task)] as const);
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

function truthOf({ criteria }: PreparedTask): PlayedEpisode {
  const calls = criteria?.actions ?? [];
  return {
    messages: calls.map((call) => ({ role: call.requestor ?? 'assistant', text: null, calls: [call] })),
    termination: 'user_stop',
  };
}

function play({ domain, start }: PreparedTask, { messages }: PlayedEpisode): unknown {
  const state = start.copy();
  return messages.map((message) =>
    message.role === 'tool' ? [] : (message.calls ?? []).map((call) => callTool(domain, state, call)),
  );
}
