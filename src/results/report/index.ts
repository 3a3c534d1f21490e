/** Reports on runs: figures, remarks and tables as data, as a document, and as JSON. */

export { SCRIPTED_NOTE } from './agent-label.ts';
export { describeSubject, formatDefects, reportDocument, reportToMarkdown, summarizeDefects } from './document.ts';
export { packOfRun, publishRun, readRows, reportOfEntries, reportOfOther, reportOfRows, reportOfRun } from './load.ts';
export type { FileTasks } from '../judge/index.ts';
export { listedFigures, readListedFigures, type ListedFigures } from './figures.ts';
export { findFrequentError, firstScreen } from './first-screen.ts';
export { describeMissing, describeRagged } from './remarks.ts';
export {
  allEpisodes,
  findRowNote,
  formatSyntheticNote,
  metricsToJson,
  reportToJson,
  subjectOfFile,
  subjectOfRun,
  sumSpending,
  withGates,
  type Report,
} from './report.ts';
export { prepareTaskNotes, type FindPack } from './task-notes.ts';
export type { ReportSubject } from './subject.ts';
