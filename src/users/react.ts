/**
 * tau-bench's customer who thinks before each line: the reply has a section `Thought:` and a section `User Response:`.
 * What the model wrote stays in its conversation; the agent hears the response.
 */

import { strip } from '../benchmark/python/index.ts';
import { STOP_MARKER } from '../benchmark/index.ts';
import { ask, heard, opened, OPENS, REPLIES } from './conversation.ts';
import { UserReplyError, type UserSession, type UserSimulator } from './port.ts';

const THOUGHT = 'Thought:';
const RESPONSE = 'User Response:';

/** The reference's defect: the agent hears the customer's thought as well. */
export const LEAKING = 'react-user';

export function reactUser(session: UserSession): UserSimulator {
  const messages = opened('react');
  const read = session.compat.includes(LEAKING) ? readAsReference : readResponse;

  async function speak(summary: string): Promise<string> {
    const content = await ask(session, messages, summary);
    messages.push({ role: 'assistant', content });
    return content.includes(STOP_MARKER) ? STOP_MARKER : read(content);
  }

  return {
    open: () => speak(OPENS),
    reply(content) {
      messages.push(heard(content));
      return speak(REPLIES);
    },
  };
}

/** What follows the last label. @throws UserReplyError when there is none: a thought alone is not for the agent's ears */
function readResponse(reply: string): string {
  const at = reply.lastIndexOf(RESPONSE);
  if (at < 0) throw unreadable(reply);
  return strip(reply.slice(at + RESPONSE.length));
}

/** The thought comes first, so what follows its label holds the response with its label too. */
function readAsReference(reply: string): string {
  const label = [THOUGHT, RESPONSE].find((each) => reply.includes(each));
  if (label === undefined) throw unreadable(reply);
  const [, said = '', ...others] = reply.split(label);
  if (others.length > 0) throw new UserReplyError(`the customer's reply has "${label}" more than once`, reply);
  return strip(said);
}

function unreadable(reply: string): UserReplyError {
  return new UserReplyError(`the customer's reply has no "${RESPONSE}"`, reply);
}
