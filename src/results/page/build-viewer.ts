/** Build step: bundles the report page's script and style. */

import { buildViewer } from './viewer-bundle.ts';

await buildViewer();
