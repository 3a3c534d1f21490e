/** Parts of this module that its tests use beyond its entry point. */

export { MAX_ANSWER_CHARS } from './conversation.ts';
export { stepSummary, viewLink } from './display.ts';
export { asAgentError } from './failures.ts';
export { LiveTranscript } from './live-transcript.ts';
export { modelCalls } from './model-calls.ts';
export { openSession, type OpeningParts } from './open.ts';
export type { EpisodePorts } from './ports.ts';
export { ReplayedPrefix } from './replayed-prefix.ts';
