/** The body of `tauflow cache clear`, and what `run --clear-cache` does. */

import { removeShelves, type Removed, type Shelf } from '../../models/index.ts';
import { printJson, type CliContext } from '../context.ts';
import { cachePlace } from '../../host/index.ts';
import { reachable } from './place.ts';
import { completions, size } from './sizes.ts';

export interface ClearFlags {
  readonly model?: string;
  readonly json?: boolean;
}

export async function clearCache({ model, json }: ClearFlags, context: CliContext): Promise<void> {
  const removed = await remove((shelf) => model === undefined || isOf(model, shelf), context);
  if (json === true) {
    printJson(removed, context);
    return;
  }
  const whose = model === undefined ? '' : ` of ${model}`;
  context.out(`forgot ${completions(removed.entries)}${whose}, ${size(removed.bytes)}`);
}

/** @param digest as `configurationDigest` makes it */
export async function forgetConfiguration(digest: string, context: CliContext): Promise<void> {
  const { entries } = await remove(({ configuration }) => configuration === digest, context);
  context.log(`forgot ${completions(entries)} of this configuration`);
}

async function remove(isWanted: (shelf: Shelf) => boolean, context: CliContext): Promise<Removed> {
  const { folder } = cachePlace(context);
  return reachable(folder, () => removeShelves(folder, isWanted));
}

function isOf(name: string, { provider, model }: Shelf): boolean {
  return name === model || name === `${provider}/${model}`;
}
