/** Exports for this module's tests. */

export type { FindingKind } from './task.ts';
