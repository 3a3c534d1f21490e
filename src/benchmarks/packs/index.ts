/** Domain packs: data, policy, tool descriptions, prompts and tasks of a domain; read, verified and found by digest. */

export { fewShotFile } from './few-shots.ts';
export {
  findPackByRef,
  listPacks,
  loadPackByRef,
  resolvePack,
  resolveService,
  type PackListing,
  type PackPlaces,
} from './find.ts';
export { chooseService } from '../service/choose.ts';
export { EnvironmentServiceError, type ServiceFault } from '../service/port.ts';
export {
  DOMAINS,
  FEW_SHOT_FILE,
  GENERATE_COMMAND,
  MANIFEST_FILE,
  MANIFEST_FORMAT,
  PACK_NAME,
  decodePackText,
  isGenerated,
  parseFile,
  hashData,
  tableFile,
  listTables,
  type DomainName,
  type Manifest,
} from './manifest.ts';
export { renderUserSystemPrompt, supervisorPart, toolsJson } from './prompts.ts';
export { readPack, tasksOfSplit } from './read.ts';
export type { PackRef } from './ref.ts';
export { PackError, listWords, formatPackKey, toolName, type Pack, type PackEnvironment } from './types.ts';
export {
  WARNING_KINDS,
  readAndVerify,
  verifyPack,
  type PackReport,
  type PackWarning,
  type SplitReport,
} from './verify.ts';
export { writePack } from './write.ts';
