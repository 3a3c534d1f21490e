export {
  accessRun,
  accessRuns,
  claimRunLog,
  refuseDifferences,
  withToken,
  type ClaimedLog,
  type RunAccess,
} from './claim.ts';
export { countLeastCalls, estimateFromPack, estimateFromRuns, type Estimate } from './estimate.ts';
export { choosePrices, pricesOf, readGivenPrices, readSavedPrices, savePrices } from './prices.ts';
export { chooseTasks } from './tasks.ts';
