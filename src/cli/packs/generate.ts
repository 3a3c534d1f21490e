/** The body of `tauflow data generate`. */

import { resolve } from 'node:path';
import {
  DIFFICULTIES,
  flagOf,
  generatePack,
  writePack,
  type GenerateOptions,
} from '../../pack-tools/generate/index.ts';
import { verifyPack } from '../../packs/index.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../../errors/index.ts';

export interface GenerateFlags {
  readonly out: string;
  readonly env?: string;
  readonly difficulty?: string;
  readonly seed?: string;
  readonly customers?: string;
  readonly orders?: string;
  readonly productTypes?: string;
  readonly products?: string;
  readonly reservations?: string;
  readonly flights?: string;
  readonly tasks?: string;
  readonly devTasks?: string;
  readonly name?: string;
  readonly replace?: boolean;
}

/** @throws UsageError for what is no number, PackError for sizes that no pack can have and folders that are in use */
export async function generate(flags: GenerateFlags, context: CliContext): Promise<void> {
  const options: GenerateOptions = {
    ...number('seed', flags.seed),
    ...number('customers', flags.customers),
    ...number('orders', flags.orders),
    ...number('productTypes', flags.productTypes ?? flags.products),
    ...number('reservations', flags.reservations),
    ...number('flights', flags.flights),
    ...number('tasks', flags.tasks),
    ...number('devTasks', flags.devTasks),
    ...(flags.env === undefined ? {} : { env: flags.env }),
    ...difficulty(flags.difficulty),
    ...(flags.name === undefined ? {} : { name: flags.name }),
  };
  const folder = resolve(context.cwd, flags.out);
  await writePack(folder, generatePack(options), { replace: flags.replace === true });
  const { summary, problems } = await verifyPack(folder);
  if (summary === null) throw new Error(`the pack that was made cannot be used: ${problems.join(' ')}`);
  const records = Object.entries(summary.records).map(([table, count]) => `${count} ${table}`);
  const splits = summary.splits.map(({ split, tasks }) => `${tasks} ${split} tasks`);
  context.out(`pack ${summary.ref.name} in ${folder}: ${[...records, ...splits].join(', ')}`);
  context.out(`digest ${summary.ref.digest}; run it with --pack ${flags.out}`);
}

function number(option: keyof GenerateOptions, text: string | undefined): GenerateOptions {
  if (text === undefined) return {};
  if (/^\d+$/.test(text)) return { [option]: Number(text) };
  throw new UsageError(`${flagOf(option)} must be a whole number, not "${text}".`);
}

function difficulty(name: string | undefined): GenerateOptions {
  if (name === undefined) return {};
  const known = DIFFICULTIES.find((one) => one === name);
  if (known !== undefined) return { difficulty: known };
  throw new UsageError(`--difficulty must be one of ${DIFFICULTIES.join(', ')}, not "${name}".`);
}
