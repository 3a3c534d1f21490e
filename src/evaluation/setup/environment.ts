/** Options of a run on an environment service: its domain, and what it says of steps and splits. */

import { getContent } from '../../benchmarks/contents.ts';
import { chooseService, resolveService } from '../../benchmarks/packs/index.ts';
import type { Environment } from '../../models/providers.ts';
import * as kinds from '../kinds.schema.ts';
import type { RawRunOptions } from '../options/index.ts';

/**
 * Completes options that name an environment service by what it answers; returns others as they are.
 * @throws UsageError, UnreachableError, PackError
 */
export async function withEnvironment(
  raw: RawRunOptions,
  { cwd, env: environ }: { readonly cwd: string; readonly env: Environment },
): Promise<RawRunOptions> {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const options = kinds.environmentOptions.safeParse(raw.envOptions ?? {});
  // It is reported where all options are checked.
  if (!options.success) return raw;
  const flags = { url: text(raw.envUrl), options: options.data, replays: raw.envReplays === true };
  const choice = chooseService({ env: text(raw.env), pack: text(raw.pack), ...flags }, cwd);
  if (choice === null) return raw;
  const { source } = choice;
  const folder = source.kind === 'folder' ? source.path : undefined;
  const pack = await resolveService(choice, environ);
  const { split, maxSteps } = pack.environment?.service.description.defaults ?? {};
  const { defaults } = getContent(pack.domain);
  return {
    ...{ taskSplit: split ?? Object.keys(pack.splits)[0], maxSteps: maxSteps ?? defaults.maxSteps },
    ...raw,
    env: pack.domain,
    pack: folder,
  };
}
