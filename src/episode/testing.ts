/** Parts of this module that its tests use beyond its entry point. */

export { MAX_ANSWER_CHARS } from './conversation.ts';
export { initialStepSummary, stepSummary, viewLink } from './display.ts';
export { LiveTranscript } from './live-transcript.ts';
