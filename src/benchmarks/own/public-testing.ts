/** `tauflow/benchmark/testing`: plays given calls on a benchmark's folder, for tests of its tools and tasks. */

import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GradePart } from '../grade.ts';
import { playCalls } from '../service/play.ts';
import { toServiceCall } from './grade.ts';
import { loadBenchmark } from './load.ts';
import { openLoadedBenchmark } from './service.ts';
import { callSchema } from './tasks.schema.ts';
import type { BenchmarkTask } from './public.ts';

export type { GradePart };

export interface Played {
  readonly reward: number;
  readonly parts: readonly GradePart[];
  /** Answers of the calls, in order. */
  readonly observations: readonly string[];
}

export interface OpenBenchmark {
  readonly taskIds: readonly string[];
  /** Makes the calls of a task's ground truth, and says its outputs to the user. */
  playTruth(id: string): Promise<Played>;
  /** Makes calls for a task. @param says texts of the agent at the end @default none */
  play(id: string, calls: NonNullable<BenchmarkTask['calls']>, says?: readonly string[]): Promise<Played>;
}

/** @param folder a path, or a URL of the benchmark's folder @throws Error with one sentence for a folder that cannot be used */
export async function openBenchmark(folder: string | URL): Promise<OpenBenchmark> {
  const path = typeof folder === 'string' && !folder.startsWith('file:') ? resolve(folder) : fileURLToPath(folder);
  const loaded = await loadBenchmark(path);
  const service = openLoadedBenchmark(loaded);
  let episodes = 0;
  const play: OpenBenchmark['play'] = async (id, calls, says = []) => {
    episodes += 1;
    const script = {
      episode: `test ${episodes}`,
      task: id,
      calls: calls.map((call) => toServiceCall(callSchema.parse(call))),
      says,
    };
    const { grade, observations } = await playCalls(service, { domain: loaded.name, options: {} }, script);
    return { ...grade, observations: observations.map(({ observation }) => observation) };
  };
  return {
    taskIds: loaded.tasks.map(({ id }) => id),
    play,
    playTruth: (id) => {
      const task = loaded.tasks.find((each) => each.id === id);
      return play(id, task?.calls ?? [], task?.outputs);
    },
  };
}
