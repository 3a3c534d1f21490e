/** A person in the place of the simulated customer: what they type is what the agent hears. No model is asked. */

import type { UserSession, UserSimulator } from './port.ts';

export function humanUser(session: UserSession): UserSimulator {
  return {
    open: () => session.person(null),
    reply: (content) => session.person(content ?? ''),
  };
}
