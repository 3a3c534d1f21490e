/** Parts of this module that its tests use beyond its entry point. */

export { chooseFailure, refusedCall } from './agent-failures.ts';
export { observe, turnsAbout } from './check/script.ts';
export { judgeThrown } from './function/thrown.ts';
export type { EpisodeOffer } from './gateway/binding.ts';
export type { RunningGateway } from './gateway/gateway.ts';
export { GatewayTurn, type Caller } from './gateway/turn.ts';
export { readAction, writeRequest } from './turn-protocol/a2a/text.ts';
export type { TurnAnswer } from './turn-protocol/answer.ts';
export type { AskOptions } from './turn-protocol/http.ts';
