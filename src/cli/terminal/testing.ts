/** Parts of this module that its tests use beyond its entry point. */

export {
  ProgressDisplay,
  measurePace,
  renderProgress,
  renderProgressLine,
  steeringChanges,
  type ProgressState,
  type ProgressStream,
} from './progress.ts';
export { renderTerminal } from './render.ts';
export { escapeControls, chooseStyle, type TerminalStyle } from './style.ts';
