/** Parts of this module that its tests use beyond its entry point. */

export { groupIndistinguishable } from './compare-many.ts';
export { differenceFigures, flipItems, settingSections, tradeSentence } from './document.ts';
export { AlertError, postAlert, runAlertCommand, type AlertMessage } from './alert.ts';
