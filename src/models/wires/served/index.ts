/** The server's side of each wire. */

import type { WireName } from '../../../agents/index.ts';
import { CHAT } from './chat.ts';
import { MESSAGES } from './messages.ts';
import { RESPONSES } from './responses.ts';
import type { ServedWire } from './wire.ts';

export { anthropicError, openaiError } from './errors.ts';
export {
  UnreadableRequest,
  type OfferedTool,
  type ServedMessage,
  type ServedReply,
  type ServedRequest,
  type WireError,
} from './wire.ts';

export const SERVED_WIRES: Readonly<Record<WireName, ServedWire>> = {
  chat: CHAT,
  responses: RESPONSES,
  messages: MESSAGES,
};
