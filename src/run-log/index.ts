export { BASELINES_FILE, readBaselines, setBaseline, type Baselines } from './baselines.ts';
export { METHOD, comparisonToJson, type TaskDefect, type TaskNotes, type WrittenComparison } from './documents.ts';
export { formatVersion, jsonCodec, snakeKeys } from './codec.ts';
export { LogFiles, ResultsError, ResultsProblem, describeSystemError, orReport, unlessDamaged } from './files.ts';
export { listLoneFiles, listRunFolders } from './folders.ts';
export { watchOpenEpisodes, type EpisodeWatch } from './episode-watch.ts';
export { buildFork, repliesInRecord } from './fork-input.ts';
export {
  AGENT_NAME,
  AGENT_URL,
  endedManifest,
  manifestCodec,
  missingEpisodes,
  openRun,
  planOrder,
  refuseOtherConfiguration,
  runDifferences,
  flattenSettings,
  type RunEnding,
  type RunFacts,
  type RunIdentity,
  type RunManifest,
  type RunStatus,
} from './manifest.ts';
export {
  OpenEpisodeReader,
  appendOpenLines,
  removeOpenEpisode,
  removeOpenEpisodes,
  type OpenEpisodeLine,
} from './open-episodes.ts';
export {
  MAX_RUN_ID_BYTES,
  byTrialThenTask,
  checkRunId,
  episodeFileName,
  isWithinStore,
  makeRunId,
  parseEpisodeLinesName,
  resolveLogDir,
  resolveLogPlace,
  runPaths,
  storeAddress,
  type RunPaths,
} from './paths.ts';
export {
  checkNote,
  notesOfFile,
  notesOfRun,
  readNote,
  readNotes,
  writeNote,
  type EpisodeNote,
  type NotesPlace,
} from './notes.ts';
export { buildEpisodeRecord, buildLostRecord, gradeOfRecord, summarizeRecord, type EpisodeRecord } from './record.ts';
export { recordCodec } from './record.schema.ts';
export {
  readAddedRows,
  rowAnalysis,
  rowOfEntry,
  rowOfRecord,
  type EpisodeRow,
  type RecordedEntry,
  type RoleFigures,
  type RowAnalysis,
  type RowOutcome,
} from './rows.ts';
export { archiveEpisodes, findSummary, readRecorded } from './recorded.ts';
export { appendRequest, readRequests, requestsFile, type LoggedRequest } from './requests.ts';
export { RunLog } from './run-log.ts';
export { describeVariants } from './manifest.ts';
