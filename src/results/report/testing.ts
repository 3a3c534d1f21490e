/** Parts of this module that its tests use beyond its entry point. */

export { shortAgentName } from './agent-label.ts';
export { costFigures } from './document.ts';
export { SCRIPTED_REMARK } from './remarks.ts';
export { buildReport, formatLeaderboardRow } from './report.ts';
export { scoreFigures, uncertaintyFigures } from './score-figures.ts';
export { createTaskNotes } from './task-notes.ts';
