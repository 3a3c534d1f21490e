/** The address that an agent which is a service calls back while it works, bound to one request of one episode by a token. */

export type { Gateway, OpenTurn, TurnBinding } from './binding.ts';
export { startGateway, type RunningGateway } from './gateway.ts';
