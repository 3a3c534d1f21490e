/** The packs of recorded runs. */

import { findPackByRef, type PackPlaces } from '../packs/index.ts';
import type { FindPack } from '../results/report/index.ts';

/** For what only reads: a pack that is not here is no news. */
export function packFinder({ home }: PackPlaces): FindPack {
  return (ref) => findPackByRef(ref, home === undefined ? {} : { home });
}
