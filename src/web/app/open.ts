/** Episodes that go on, in views of a run that does. */

import { createContext } from 'preact';
import type { PayloadEpisode } from '../data/payload.ts';

export type Open = Pick<PayloadEpisode, 'taskId' | 'trial'>;

/** None in a report. */
export const OpenContext = createContext<readonly Open[]>([]);
