/** The unit tests alone: what a fault is tried against has to be quick. */

import { mergeConfig } from 'vitest/config';
import config from '../config/vitest.config.ts';

const unit = config.test?.projects?.find((project) => JSON.stringify(project).includes('"name":"unit"'));
if (typeof unit !== 'object' || !('test' in unit)) throw new Error('test/config/vitest.config.ts has no project unit');

const { projects: _projects, ...test } = config.test ?? {};
export default mergeConfig({ ...config, test }, { test: unit.test });
