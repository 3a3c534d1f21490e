/** Runs the build steps after the compiler: bundles of the workflows, of the pages and of the command. */

import { writeFileSync } from 'node:fs';
import { buildWeb } from '../viewer/bundle.ts';
import { bundlePath, writeBundle } from '../temporal/worker/bundle.ts';
import { STAMP } from './build-if-stale.ts';
import { bundleGenerator, bundleProgram } from './program.ts';

await writeBundle(bundlePath);
await buildWeb();
await bundleProgram();
await bundleGenerator();
writeFileSync(STAMP, '');
