/** Pages on runs: the live view with its server, and the report, which is the same app without one. */

export type { HtmlSubject } from './data/episodes.ts';
export { htmlReport } from './report.ts';
export { startViewServer, type ViewedPlace } from './server/index.ts';
