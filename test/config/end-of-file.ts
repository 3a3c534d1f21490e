/** Set-up of all projects: runs again for each test file. */

import { afterAll } from 'vitest';
import { endFile } from '../helpers/end-of-file.ts';

afterAll(endFile);
