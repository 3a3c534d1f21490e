export { regradeDocument, type RegradedFile } from './document.ts';
export { explainDifference, reasons } from './explain.ts';
export { fitOf, namesTasks, namesUsers } from './fit.ts';
export { formOfRecord, reanalyzeEntry, reanalyzeRecord } from './reanalyze.ts';
export { isSameReward, regradeEntry, type RegradedRecord } from './regrade.ts';
export { summarize, type RegradeSummary } from './summary.ts';
export { changedFields } from './task-changes.ts';
