/** The turn protocol: how an agent that is a service is asked over HTTP. */

export type { TurnAnswer } from './answer.ts';
export { askAgent, findAgent, type AgentSays, type FoundAgent } from './ask.ts';
export { protocolOpenApi, protocolSchema } from './describe.ts';
export type { A2aTools, AgentService, AskOptions } from './http.ts';
export { agentKey, requireAgentUrl } from './service.ts';
export type { AgentIdentity, TurnRequest } from './protocol.schema.ts';
