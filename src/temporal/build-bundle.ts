/** Build step: bundles the compiled workflows. */

import { bundlePath, writeBundle } from './bundle.ts';

await writeBundle(bundlePath);
