/**
 * The reference's data and recordings, where a machine has them. They are not part of the project: `TAU_BENCH_PACKS`
 * names the folder, else it is looked for beside the repository.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env['TAU_BENCH_PACKS'] ?? fileURLToPath(new URL('../../../shared/tau-bench', import.meta.url));

/** Absolute path of the folder with `retail/`, `airline/` and `golden/`; null when this machine has none. */
export const referenceDir: string | null = existsSync(join(FOLDER, 'golden')) ? FOLDER : null;

/** The reason that tests are skipped for where {@link referenceDir} is null. */
export const NO_REFERENCE = `no reference data in ${FOLDER}; set TAU_BENCH_PACKS`;
