/** τ³-bench's environment and grading, for its importer and for measurements. */

export { callTool } from './call.ts';
export { tau3Domains } from './domains.ts';
export type { Tau3Episode } from './episode.ts';
export { gradeTau3, prepareTask, type PreparedTask } from './grade.ts';
export { telecomPolicy } from './prompts.ts';
