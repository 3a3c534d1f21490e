/** Entry point for `tauflow agent check`, which loads the scripted model too. */

export { checkAgent } from './checks.ts';
export { refuseOther } from './model.ts';
