/** Build step: bundles the compiled workflows for workers that neither encrypt nor trace. */

import { bundlePath, writeBundle } from './bundle.ts';

await writeBundle(bundlePath);
