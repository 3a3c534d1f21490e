export { atifTrajectories } from './atif.ts';
export { EPISODE_COLUMNS, csvLines, episodeRows, reportsToCsv, withCondition, type TableRow } from './csv.ts';
export { everyEvalEverAggregate, everyEvalEverInstances, everyEvalEverPath } from './every-eval-ever.ts';
export { huggingFaceResult } from './hugging-face.ts';
export { inspectFileName, inspectLog, isListedByInspect } from './inspect.ts';
export { reportsToJunit } from './junit.ts';
export { runDocument } from './run-document.ts';
export { STEP_COLUMNS, stepRows } from './steps.ts';
export { leaderboardFigures, toExportedEpisode } from './results-file.ts';
