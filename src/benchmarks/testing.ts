/** Parts of this module that its tests use beyond its entry point. */

export { replay, type AppliedStep } from './environment.ts';
export { Overlay, type Tables } from './overlay.ts';
export { toPlainJson } from './packs/contents.schema.ts';
export { nameFewShotFile } from './packs/few-shots.ts';
export { findPackByRef, listPacks, resolvePack, shippedPackFolder } from './packs/find.ts';
export { hashData } from './packs/manifest.ts';
export { renderUserSystemPrompt, toolsJson } from './packs/prompts.ts';
export { readPack, tasksOfSplit } from './packs/read.ts';
export { PackError, formatPackKey, type Pack } from './packs/types.ts';
export { inspectPack, verifyPack, type PackReport } from './packs/verify.ts';
export { manifestText, writePack } from './packs/write.ts';
export { environmentKey, openHttpService } from './service/http.ts';
export { openService } from './service/open.ts';
export { EnvironmentServiceError } from './service/port.ts';
export { fromRewardInfo, toRewardInfo } from './tau-bench/reward-info.ts';
