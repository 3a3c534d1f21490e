/** Gates: figures that a run must reach, such as `pass^1 < 0.8`, in which it fails. */

export { describeFailures, gateSection } from './document.ts';
export { parseGate, parseGates, type Gate } from './parse.ts';
export { evaluateGates, requirePlanned, type GatedEpisodes, type GateResult } from './evaluate.ts';
