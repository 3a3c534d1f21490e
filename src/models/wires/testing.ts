/** Parts of this module that its tests use beyond its entry point. */

export { readChatReply } from './chat-reply.ts';
export { createChatWire } from './chat.ts';
export { toTurns } from './message-turns.ts';
export { readMessagesReply } from './messages.ts';
export { createResponsesWire, readResponse } from './responses.ts';
