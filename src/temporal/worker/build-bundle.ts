/** Build step: bundles the compiled workflows, for workers that encrypt, that trace, and that do neither. */

import { bundlePath, encryptedBundlePath, tracedBundlePath, tracingModule, writeBundle } from './bundle.ts';
import { failureConverterPath } from '../codec/index.ts';

await Promise.all([
  writeBundle(bundlePath),
  writeBundle(encryptedBundlePath, { failureConverterPath }),
  writeBundle(tracedBundlePath, { workflowInterceptorModules: [tracingModule] }),
]);
