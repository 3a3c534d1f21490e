/** Entry point for `tauflow agent check`, which loads the scripted model too. */

export { checkAgent } from './checks.ts';
export type { CheckFinding } from './findings.ts';
export { refuseOther } from './model.ts';
