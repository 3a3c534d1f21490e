/** Parts of this module that its tests use beyond its entry point. */

export {
  ProgressDisplay,
  paceOf,
  renderProgress,
  renderProgressLine,
  steeringChanges,
  type ProgressState,
  type ProgressStream,
} from './progress.ts';
export { renderTerminal } from './render.ts';
export { printable, styleOf, type TerminalStyle } from './style.ts';
