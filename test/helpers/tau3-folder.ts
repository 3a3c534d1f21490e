/**
 * Data and recordings of τ³-bench, where a machine has them. They are not part of the project: `TAU3_DATA` names the
 * folder, else it is looked for beside the repository.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env['TAU3_DATA'] ?? fileURLToPath(new URL('../../../shared/tau3', import.meta.url));

/** Absolute path of the folder with `retail/`, `airline/`, `telecom/` and `golden/`; null when this machine has none. */
export const tau3Dir: string | null = existsSync(join(FOLDER, 'golden')) ? FOLDER : null;

/** The reason that tests are skipped for where {@link tau3Dir} is null. */
export const NO_TAU3 = `no data of τ³-bench in ${FOLDER}; set TAU3_DATA`;
