export { UserReplyError, type UserSimulator } from './port.ts';
export { HUMAN, findUserStrategy, userCompat, userStrategies } from './registry.ts';
