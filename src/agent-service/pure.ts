/** Entry point for workflow code: payloads of requests and calls, and the log of a request. */

export type * from './payloads.ts';
export { RequestLog, type CallVerdict } from './request-log.ts';
