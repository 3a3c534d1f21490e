/** The unit tests alone: what a fault is tried against has to be quick. */

import { mergeConfig } from 'vitest/config';
import config from '../config/vitest.config.ts';

const unit = config.test?.projects?.find((project) => JSON.stringify(project).includes('"name":"unit"'));
if (typeof unit !== 'object' || !('test' in unit)) throw new Error('test/config/vitest.config.ts has no project unit');

const { projects: _projects, ...test } = config.test ?? {};
export default mergeConfig(
  { ...config, test },
  {
    // A constant of a module is only made with a fault in it where the module is loaded again.
    test: { ...unit.test, isolate: true },
  },
);
