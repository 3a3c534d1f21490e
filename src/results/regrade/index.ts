export {
  explainDifference,
  reasons,
  regradeDocument,
  summarize,
  type RegradeSummary,
  type RegradedFile,
} from './document.ts';
export { fitOf, namesTasks, namesUsers } from './regrade.ts';
export { episodeOfEntry, episodeOfRecord, formOfRecord, reanalyzeEntry, reanalyzedRow } from './reanalyze.ts';
export { isSameReward, regradeEntry, type RegradedRecord } from './regrade.ts';
