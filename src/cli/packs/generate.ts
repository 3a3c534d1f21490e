/** The body of `tauflow data generate`. */

import { resolve } from 'node:path';
import { generatePack } from '../../packs/generate/generate.ts';
import type { GenerateOptions } from '../../packs/generate/options.ts';
import { verifyPack } from '../../packs/verify.ts';
import { writePack } from '../../packs/write.ts';
import type { CliContext } from '../context.ts';
import { UsageError } from '../failures.ts';

export interface GenerateFlags {
  readonly out: string;
  readonly seed?: string;
  readonly customers?: string;
  readonly orders?: string;
  readonly productTypes?: string;
  readonly products?: string;
  readonly tasks?: string;
  readonly devTasks?: string;
  readonly name?: string;
  readonly replace?: boolean;
}

/** @throws UsageError for what is no number, PackError for sizes that no shop can have and folders that are in use */
export async function generate(flags: GenerateFlags, context: CliContext): Promise<void> {
  const options: GenerateOptions = {
    ...number('seed', flags.seed),
    ...number('customers', flags.customers),
    ...number('orders', flags.orders),
    ...number('productTypes', flags.productTypes ?? flags.products),
    ...number('tasks', flags.tasks),
    ...number('devTasks', flags.devTasks),
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
  const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(`--${flag} must be a whole number, not "${text}".`);
}
