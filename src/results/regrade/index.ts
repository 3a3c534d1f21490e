export {
  explainDifference,
  listReasons,
  regradeDocument,
  summarize,
  type RegradeSummary,
  type RegradedFile,
} from './document.ts';
export {
  analyzedRecord,
  episodeOfEntry,
  episodeOfRecord,
  formOfRecord,
  reanalyzeEntry,
  reanalyzedRow,
  restoreRecord,
} from './reanalyze.ts';
export {
  measureFit,
  isSameReward,
  namesTasks,
  namesUsers,
  regradeEntry,
  regradeEntryElsewhere,
  type RegradedRecord,
} from './regrade.ts';
