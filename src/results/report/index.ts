export { costLines, countLines, roleTable } from './cost-lines.ts';
export { customerLines, defectLines, defectMark, defectWords, faultLines, faultTypeLines } from './fault-lines.ts';
export { metricsToJson, reportToJson } from './json.ts';
export { rowNote, syntheticNote } from './leaderboard.ts';
export { aggregateLines, episodes, extentLine, hasScores, subjectLine, tasksWord, type Line } from './lines.ts';
export {
  packOfRun,
  readKnownRows,
  readRows,
  reportOfEntries,
  reportOfRows,
  reportOfRun,
  type FileTasks,
} from './load.ts';
export { markdownTable } from './markdown-table.ts';
export { reportToMarkdown } from './markdown.ts';
export { publishRun } from './publish-run.ts';
export { missingSentence, raggedRemark } from './remarks.ts';
export type { Report, ReportSubject } from './report.ts';
export type { TaskRow } from './task-rows.ts';
export { uncertaintyLines } from './uncertainty-lines.ts';
