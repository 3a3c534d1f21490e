export { currentVerdicts, isVerdictOn } from './current.ts';
export { agreementOfVerdicts, errorsDocument, judgeFigures } from './document.ts';
export type { Failure } from './failure.ts';
export { createFailureReader, type Failures } from './failures.ts';
export { errorsFileOf, verdictPlace, type VerdictPlace } from './place.ts';
export { readVerdict, readVerdicts, writeErrors, writeVerdict } from './store.ts';
export { AUTHORS, type Author, type Verdict } from './verdict.schema.ts';
