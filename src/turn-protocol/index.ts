/** The turn protocol: how an agent that is a service is asked over HTTP. */

export { askAgent, fetchIdentity, type TurnAnswer } from './ask.ts';
export { protocolOpenApi, protocolSchema } from './describe.ts';
export type { AgentService, AskOptions } from './http.ts';
export { agentKey, requireAgentUrl } from './service.ts';
export type { AgentIdentity, TurnRequest } from './protocol.schema.ts';
