export {
  createFailureReader,
  currentVerdicts,
  isVerdictOn,
  verdictsOnRecords,
  type FoundFailure,
  type Failures,
  type FileTasks,
} from './failures.ts';
export { createFailureUse, describeUnread, findUnjudged, toVerdict, type UseFailures } from './judging.ts';
export { agreementOfVerdicts, errorsDocument, judgeFigures } from './document.ts';
export {
  AUTHORS,
  toErrorsFile,
  readVerdicts,
  shownVerdictPlace,
  verdictPlace,
  writeErrors,
  writeVerdict,
  type Author,
  type OpenJudgment,
  type Verdict,
  type VerdictPlace,
} from './verdict.ts';
