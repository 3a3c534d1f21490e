/** Gates: conditions such as `pass^1 < 0.8` under which a run fails. */

export { describeFailures, gateSection } from './document.ts';
export { parseGate, parseGates, type Gate } from './parse.ts';
export { evaluateGates, requirePlanned, type GatedEpisodes, type GateResult } from './evaluate.ts';
