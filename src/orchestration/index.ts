/** State machines of the workflows, and their texts for people. Pure: time is what `Date.now` gives a workflow. */

export {
  callSummary,
  episodeSummary,
  failureText,
  initialStepSummary,
  startDetails,
  stepSummary,
  viewLink,
} from './display.ts';
export { HeldCalls, type DueCall } from './held-calls.ts';
export { JudgeMonitor, addSpent, type CallFailure, type GivenVerdict } from './judge-monitor.ts';
export { LiveTranscript } from './live-transcript.ts';
export { asMarkdown } from './markdown.ts';
export { splitWindow } from './split-window.ts';
export { SweepMonitor } from './sweep-monitor.ts';
