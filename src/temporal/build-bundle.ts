/** Build step: bundles the compiled workflows, for workers that encrypt and for those that do not. */

import { bundlePath, encryptedBundlePath, writeBundle } from './bundle.ts';
import { failureConverterPath } from './codec/data-converter.ts';

await Promise.all([writeBundle(bundlePath), writeBundle(encryptedBundlePath, { failureConverterPath })]);
