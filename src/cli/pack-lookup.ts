/** How a worker finds the packs of the sweeps it works on, and tells when it has not got one. */

import type { PackLookup } from '../../activities/index.ts';
import { findPackByRef, type PackPlaces } from '../packs/index.ts';
import type { FindPack } from '../results/task-notes/index.ts';

/** @param warn is told once of each pack that is missing: the attempts go on until a worker takes them that has it */
export function createPackLookup(places: PackPlaces, warn: (message: string) => void): PackLookup {
  const missed = new Set<string>();
  return async (ref) => {
    const pack = await findPackByRef(ref, places);
    if (pack === undefined && !missed.has(ref.digest)) {
      missed.add(ref.digest);
      warn(
        `a sweep needs the pack ${ref.name} with digest ${ref.digest.slice(0, 12)}, which is not here; its work is ` +
          'left to workers that have it. Import it with `npx tauflow data import`, or start this worker with --pack',
      );
    }
    return pack;
  };
}

/** For what only reads: a pack that is not here is no news. */
export function packFinder({ home }: PackPlaces): FindPack {
  return (ref) => findPackByRef(ref, home === undefined ? {} : { home });
}
