/** The module `tauflow/agents`, which an agent's file imports: the port, and helpers for every agent. */

export { RESPOND, STOP_MARKER, type Action, type StepResult } from '../benchmarks/pure.ts';
export { dumpJson, JsonError, parseJson } from '../benchmarks/python/index.ts';
export { isDict, type PyDict, type PyValue } from '../benchmarks/python/index.ts';
export { textActionOf } from '../benchmarks/pure.ts';
export { FEW_SHOT_OPTIONS } from './few-shot.ts';
export { readOptions, type OptionValues } from './options.ts';
export * from './port.ts';
export type {
  AgentFunction,
  AgentTurn,
  AgentTurnAnswer,
  ConversationMessage,
  ToolSchema,
} from './service-agent/function.ts';
export { transcribeStep } from './step-events.ts';
export { actionOfReply, observationMessage, policyPrompt, toolCaller, withFirstCallOnly } from './tool-calling.ts';
