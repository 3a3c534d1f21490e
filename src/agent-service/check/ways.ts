/** Words of findings that depend on the agent's protocol: HTTP, a function, or A2A with one of three forms of tools. */

import type { AgentService } from '../turn-protocol/http.ts';

export interface Way {
  /** Where the agent calls tools during a request. */
  readonly toolsAt: string;
  /** Places where a tool call of the agent may arrive. */
  readonly toolsArrive: string;
  readonly modelAt: string;
  /** Advice for an agent that does not know an episode. */
  readonly memory: string;
  /** True if each request has the whole conversation. */
  readonly hasConversation: boolean;
  readonly addresses: string;
}

const ANSWER_DATA = 'answer with the data {"error": "unknown_episode"}';
const METADATA = 'model_url or anthropic_url of the metadata';

const HTTP: Way = {
  toolsAt: 'at tools_url or mcp_url',
  toolsArrive: 'at tools_url or mcp_url, or in the answer',
  modelAt: 'model_url or anthropic_url',
  memory: 'read "conversation", or answer 404 with {"error": "unknown_episode"}',
  hasConversation: true,
  addresses: 'take tools_url, mcp_url and model_url from each request',
};

const FUNCTION: Way = {
  toolsAt: 'by turn.callTool',
  toolsArrive: 'by turn.callTool, or in the answer',
  modelAt: 'turn.modelUrl or turn.anthropicUrl',
  memory: 'read turn.conversation',
  hasConversation: true,
  addresses: 'use each turn only until it is answered',
};

const A2A: Readonly<Record<NonNullable<AgentService['a2aTools']>, Way>> = {
  text: {
    toolsAt: 'while it worked',
    toolsArrive: 'in <json> tags in the answer',
    modelAt: METADATA,
    memory: ANSWER_DATA,
    hasConversation: false,
    addresses: 'take model_url from the metadata of each message',
  },
  data: {
    toolsAt: 'at tools_url or mcp_url',
    toolsArrive: "in the answer's data, or at tools_url or mcp_url",
    modelAt: 'model_url or anthropic_url',
    memory: `read "conversation" in the message's data, or ${ANSWER_DATA}`,
    hasConversation: true,
    addresses: 'take the URLs from the data of each message',
  },
  mcp: {
    toolsAt: 'at mcp_url',
    toolsArrive: 'at mcp_url of the metadata',
    modelAt: METADATA,
    memory: ANSWER_DATA,
    hasConversation: false,
    addresses: 'take mcp_url and model_url from the metadata of each message',
  },
};

export function chooseWay({ a2aTools, label }: AgentService): Way {
  if (a2aTools !== undefined) return A2A[a2aTools];
  // A function's service is named by its file.
  return label === undefined ? HTTP : FUNCTION;
}
