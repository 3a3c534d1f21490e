/** Parts of this module that its tests use beyond its entry point. */

export { splitReasoning } from './reasoning.ts';
export { serviceStrategy } from './service-agent/strategy.ts';
export { act, react } from './text-agent.ts';
export { OPENING_WORDS, TEXT_MARKERS } from './thought-markers.ts';
export { toolCalling } from './tool-calling.ts';
