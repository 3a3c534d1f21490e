export { DOMAINS, FEW_SHOT_FILE, MANIFEST_FILE, isDomain, tableFile, tablesOf, type Domain } from './domains.ts';
export { fewShotFile, nameFewShotFile } from './few-shots.ts';
export { findPackByRef, listPacks, resolvePack, type PackListing, type PackPlaces } from './find.ts';
export { MANIFEST_FORMAT, PACK_NAME, type Manifest } from './manifest.schema.ts';
export { GENERATE_COMMAND, decodeText, isGenerated, sha256 } from './manifest.ts';
export { PackError, listWords } from './problem.ts';
export { renderUserSystemPrompt, supervisorPart, toolsJson } from './prompts.ts';
export { assemblePack, readPack } from './read.ts';
export { tasksOfSplit, toolName } from './tasks.ts';
export type { Pack, PackRef } from './types.ts';
export {
  WARNING_KINDS,
  inspectPack,
  verifyPack,
  type PackReport,
  type PackWarning,
  type SplitReport,
} from './verify.ts';
