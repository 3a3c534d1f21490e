/** Entry point for workflow code: the requests of an episode to its agent and the agent's calls, as data, and their log. */

export type * from './payloads.ts';
export { RequestLog, type CallVerdict } from './request-log.ts';
