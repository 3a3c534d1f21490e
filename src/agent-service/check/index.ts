/** Entry point for `tauflow agent check` alone: it brings the scripted model along. */

export { checkAgent } from './checks.ts';
export type { Finding } from './findings.ts';
export { refuseOther } from './model.ts';
