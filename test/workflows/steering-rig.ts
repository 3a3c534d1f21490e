/** Steering sweeps in tests: what is refused, which episodes do not go as planned, what a finished run left behind. */

import { readFile } from 'node:fs/promises';
import { Context } from '@temporalio/activity';
import type { UpdateDefinition } from '@temporalio/common';
import { ApplicationFailure } from '@temporalio/common';
import { WorkflowUpdateFailedError } from '@temporalio/client';

import type { Activities } from '../../src/orchestration/index.ts';
import type { SweepHandle } from '../../src/temporal/client/index.ts';
import { beating, type Rig } from './rig.ts';

/** USD of one call, and of a whole episode of the quick model. */
export const CALL = 0.001;
export const EPISODE = 3 * CALL;

/** Reason why an update was refused; fails the test when it was not. */
export async function refusal<Result, Args extends [] | [unknown]>(
  handle: SweepHandle,
  update: UpdateDefinition<Result, Args>,
  ...args: Args
): Promise<string> {
  try {
    // The client's two signatures, without arguments and with them, do not take what may be either.
    await handle.executeUpdate(update as UpdateDefinition<Result, [unknown]>, { args: args as [unknown] });
  } catch (error) {
    if (error instanceof WorkflowUpdateFailedError) return error.cause?.message ?? '';
    throw error;
  }
  throw new Error(`${update.name} was accepted: ${JSON.stringify(args)}`);
}

/**
 * Agents of some tasks come to grief after the user's first call, which is paid.
 * @param grief what is thrown; null lets the call pass
 */
export function failing(grief: (taskId: number) => Error | null) {
  return (real: Activities, gated: Partial<Activities>): Partial<Activities> => ({
    ...gated,
    complete: async (input) => {
      const error = input.role === 'agent' ? grief(input.episode.taskId) : null;
      if (error !== null) throw error;
      return await (gated.complete ?? real.complete)(input);
    },
  });
}

/** Trouble of the model's that is given up, and says nothing about other episodes. */
export const unavailable = (): Error => ApplicationFailure.nonRetryable('503', 'ModelUnavailable');

/** An activity that goes on until it is cancelled. */
export const endless = beating(async (): Promise<never> => {
  await Context.current().cancelled;
  throw new Error('cancelled is never resolved');
});

/** A door that an activity waits at. */
export class Door {
  readonly #reached: Promise<void>;
  readonly #opened: Promise<void>;
  #reach: () => void = () => undefined;
  #open: () => void = () => undefined;

  constructor() {
    this.#reached = new Promise((resolve) => (this.#reach = resolve));
    this.#opened = new Promise((resolve) => (this.#open = resolve));
  }

  async pass(): Promise<void> {
    this.#reach();
    await this.#opened;
  }

  open(): void {
    this.#open();
  }

  /** Settles when somebody waits at it. */
  reached(): Promise<void> {
    return this.#reached;
  }
}

export interface MetricsFile {
  readonly average_reward: number;
  readonly episodes: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly costs: { readonly known_usd: number };
  readonly superseded: { readonly episodes: number; readonly known_usd: number; readonly cost_usd: number | null };
}

export async function metricsOf({ log }: Rig): Promise<MetricsFile> {
  return JSON.parse(await readFile(log.paths.metrics, 'utf8')) as MetricsFile;
}
