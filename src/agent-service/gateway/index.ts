/** The server that agents call back while they work, each bound to one request of one episode by a token. */

export { WITH_USER, parsePlace } from './address.ts';
export type { ClosedCalls, Gateway, OpenTurn, TurnBinding } from './binding.ts';
export { startGateway, type RunningGateway } from './gateway.ts';
