/**
 * Agents that are services: requests to them (the turn protocol, A2A), the gateway for their calls, and files with a
 * function.
 */

export { functionPath } from './function/path.ts';
export { loadFunction } from './function/load.ts';
export { serveFunction } from './function/serve.ts';
export { functionService, type FunctionService } from './function/service.ts';
export { WITH_USER } from './gateway/address.ts';
export type { Gateway, TurnBinding } from './gateway/binding.ts';
export { startGateway } from './gateway/gateway.ts';
export { lazyGateway } from './gateway/lazy.ts';
export { agentAt, identified } from './identify.ts';
export { findData, dataPart, joinTextParts, textPart } from './turn-protocol/a2a/parts.ts';
export { askAgent, findAgent } from './turn-protocol/ask.ts';
export { protocolOpenApi, protocolSchema } from './turn-protocol/describe.ts';
export type { AgentService } from './turn-protocol/http.ts';
export type { TurnRequest } from './turn-protocol/protocol.schema.ts';
export { createTurnTaker, type TurnDeps } from './turn.ts';
export { AGENT_KEY, agentKey } from './turn-protocol/service.ts';
