/** User simulators and text agents read replies in time linear in their length. */

import { act, react, toolCalling } from '../../../src/agents/testing.ts';
import { AgentError } from '../../../src/agents/index.ts';
import { UserReplyError } from '../../../src/agents/users/index.ts';
import { llmUser, reactUser, reflectionUser, verifyUser, type UserSession } from '../../../src/agents/users/testing.ts';
import { LiveTranscript } from '../../../src/episode/testing.ts';
import { completion, fakeSession, OPTIONS } from '../fake-session.ts';
import { testLinear } from '../../helpers/linear.ts';

function userSession(reply: string): UserSession {
  return {
    person: () => Promise.reject(new Error('no person is asked')),
    complete: () => Promise.resolve(completion(reply)),
  };
}

const users = { llm: llmUser, react: reactUser, verify: verifyUser, reflection: reflectionUser };
const agents = { act, react, 'tool-calling': toolCalling };

function told(text: string): string {
  const story = new LiveTranscript();
  story.add({ what: 'thought', text });
  story.add({ what: 'step', text });
  return story.toMarkdown();
}

testLinear(
  {
    ...Object.fromEntries(
      Object.entries(users).map(([name, user]) => [
        `the ${name} user`,
        async (text: string) => {
          const simulator = user(userSession(`Thought: ${text}\nUser Response: ${text}`));
          await simulator.open();
          await simulator.reply(text);
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(agents).map(([name, agent]) => [
        `the ${name} agent`,
        (text: string) =>
          agent.solve(
            fakeSession({ replies: [text, `Thought: ${text}`], strategy: agent, prompts: () => '' }),
            OPTIONS,
          ),
      ]),
    ),
    'the live transcript': told,
  },
  { refusals: [UserReplyError, AgentError], longest: 2 ** 14 },
);
