/** Parts of this module that its tests use beyond its entry point. */

export {
  LIST_SORTS,
  NO_FILTERS,
  WHOLE_LIST,
  formatHash,
  formatEpisodeKey,
  filterEpisodes,
  parseHash,
  type Filters,
  type ListFilters,
  type Route,
} from './address.ts';
export {
  faultBars,
  outcomeBars,
  roundStep,
  spreadSentence,
  spreads,
  userFaultBars,
  verdictBars,
} from './charts/episode-data.ts';
export { passCurveSentence, passCurves } from './charts/pass-curve-data.ts';
export {
  costScore,
  costSentence,
  jitter,
  rankedTasks,
  stabilityRanges,
  stabilitySentence,
  varianceSentence,
} from './charts/task-data.ts';
export { percent, shortTime, tickUsd, timeUnit, withInterval } from './charts/words.ts';
export {
  costedRuns,
  differencesSentence,
  otherTasks,
  paretoSentence,
  runNames,
  taskDifferences,
} from './compare/data.ts';
export { layOut } from './json-text.ts';
export { NONE_ENDED, plotCourse, measureProgress, withEnded } from './live/progress.ts';
export { addLabel, isSameNote, usedLabels } from './notes.ts';
export { withKnown, withRecorded } from './run/recorded.ts';
export { isSynthetic, filterRuns, findRunStatus } from './runs/data.ts';
export { isNews, scoreText, shownTime, sparkline, trendSentence, toVerdictStatus } from './schedules/data.ts';
export { findWindow } from './window.ts';
export { nameFields } from './words.ts';
