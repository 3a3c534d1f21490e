export {
  accessRun,
  accessRuns,
  claimRunLog,
  refuseDifferences,
  withToken,
  type ClaimedLog,
  type RunAccess,
} from './claim.ts';
export { chooseEnv } from './env.ts';
export { countLeastCalls, estimateFromPack, estimateFromRuns, type Estimate } from './estimate.ts';
export {
  askedTemperature,
  chooseAgent,
  chooseModels,
  formatModelFlags,
  impliedProvider,
  otherModel,
  temperatureWarnings,
  usualModel,
  type OneModelFlags,
} from './models.ts';
export {
  chooseRoleModels,
  chooseTokenCaps,
  chosenRoleModel,
  describeTemperatures,
  namedRoleModels,
} from './role-models.ts';
export { describeModel, judgeNote } from './notes.ts';
export { getDefault, findProblems, parseRunOptions, type RunOptions } from './parse.ts';
export { choosePrices, selectPrices, readGivenPrices, readSavedPrices, savePrices } from './prices.ts';
export { givenLimits, keyedConfig, recordedOptions } from './record.ts';
export {
  chooseStrategy,
  demoOptions,
  requireDomain,
  requireYes,
  resolveRequest,
  type ChosenStrategy,
  type RunRequest,
} from './request.ts';
export { chooseTasks } from './tasks.ts';
export {
  defaultSplit,
  parseEnvironmentOptions,
  numberNames,
  resolveTaskNumbers,
  resolveNamed,
  withEnvironment,
  type NamedFlags,
} from './environment.ts';
export { requireModels, uncallableModels } from './required-models.ts';
export { chooseOwnValues, refuseGates } from './strategy-options.ts';
