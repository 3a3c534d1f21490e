export { Adapter, adapterFolder, type AdapterProgram } from './adapter.ts';
export { isScratchName, removeStaleScratch, writeFileAtomically } from './atomic-file.ts';
export { bundledPackages, formatLicenses } from './bundled-packages.ts';
export type { CheckFinding, ReportFinding } from './finding.ts';
export { isFolder, makeFolders, findStats } from './folders.ts';
export { forTerminal } from './for-terminal.ts';
export { environmentSetting, findHeaderProblem } from './header-values.ts';
export {
  HttpServiceError,
  limitBody,
  exchange,
  openReply,
  quoteBody,
  withinTime,
  type HttpReply,
  type HttpService,
  type TimeLimit,
} from './http-service.ts';
export {
  isObject,
  jsonElements,
  jsonMember,
  jsonMembers,
  jsonObject,
  meansNoArguments,
  parsedJson,
  writeJsonMembers,
  type Fields,
  type JsonMember,
} from './json-text.ts';
export { loadModule } from './load-module.ts';
export {
  LOOPBACK,
  PortTakenError,
  Refusal,
  checkSender,
  closeServer,
  isLoopback,
  listen,
  listenOnLoopback,
  readBody,
  requestPath,
  sendJson,
  sendText,
} from './loopback.ts';
export { parseS3Address, type S3Address } from './object-store/address.ts';
export { PART_BYTES, type ListedObject, type ObjectStore, type StoredObject } from './object-store/object-store.ts';
export { openObjectStore } from './object-store/s3.ts';
export { createKeyRemover, createRedactor, type Redact } from './redact.ts';
export { readRetryAfter, readWaitInWords } from './retry-after.ts';
export { sha256, sha256Hashing } from './sha256.ts';
export { decodeText } from './text-file.ts';
export { suggestName } from './similar-name.ts';
export { startThread } from './thread.ts';
