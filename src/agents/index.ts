/** What a file with an agent of one's own imports, as `tauflow/agents`: the port, and what every agent needs. */

export { RESPOND, STOP_MARKER, type Action, type StepResult } from '../bench/types.ts';
export { dumpJson, JsonError, parseJson } from '../bench/python/json.ts';
export { isDict, type PyDict, type PyValue } from '../bench/python/value.ts';
export { textActionOf } from '../bench/text-actions.ts';
export * from './port.ts';
export { tellStep } from './story.ts';
export { actionOfReply, observationMessage, policyPrompt, toolCaller, withFirstCallOnly } from './tool-calling.ts';
