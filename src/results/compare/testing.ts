/** Parts of this module that its tests use beyond its entry point. */

export { compareRuns } from './compare.ts';
export { compareMany, groupIndistinguishable, manyDocument, manyToJson, summarizeMany } from './compare-many.ts';
export {
  comparisonDocument,
  differenceFigures,
  flipItems,
  settingSections,
  summarizeComparison,
  tradeSentence,
} from './document.ts';
export { AlertError, postAlert, runAlertCommand, type AlertMessage } from './alert.ts';
