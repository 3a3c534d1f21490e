/** The turn protocol: how an agent that is a service is asked over HTTP. */

export { dataOf, dataPart, textOf, textPart } from './a2a/parts.ts';
export type { TurnAnswer } from './answer.ts';
export { askAgent, findAgent, type AgentSays, type FoundAgent } from './ask.ts';
export { protocolOpenApi, protocolSchema } from './describe.ts';
export { A2A_EXTENSION, AGENT_FAILED, type A2aTools, type AgentService, type AskOptions } from './http.ts';
export { AGENT_KEY, agentKey, requireAgentUrl } from './service.ts';
export type { AgentIdentity, TurnRequest } from './protocol.schema.ts';
