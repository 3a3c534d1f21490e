// A stateless agent on OpenAI's Agents SDK. Run npm install --workspaces=false in this folder, then:
// npx tauflow run --agent-url examples/openai-agents-js/openai-agents-js.ts

import { Agent, OpenAIProvider, Runner, tool, type AgentInputItem } from '@openai/agents';
import type { AgentTurn } from 'tauflow/agents';

export default async function agent(turn: AgentTurn): Promise<string> {
  const modelProvider = new OpenAIProvider({ baseURL: turn.modelUrl, apiKey: 'of-the-worker', useResponses: false });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const supporter = new Agent({
    name: 'supporter',
    model: process.env['MODEL'] ?? 'gpt-5.4-mini',
    instructions: turn.policy,
    tools: turn.tools.map(({ function: { name, description = '', parameters } }) => {
      const none: string[] = [];
      const schema = {
        type: 'object',
        properties: {},
        required: none,
        ...parameters,
        additionalProperties: true,
      } as const;
      return tool({
        name,
        description,
        parameters: schema,
        strict: false,
        execute: (args) => turn.callTool(name, args as object),
      });
    }),
  });
  const { finalOutput } = await runner.run(supporter, turn.conversation.flatMap(toItems), { maxTurns: 30 });
  return finalOutput ?? '';
}

function toItems(message: AgentTurn['conversation'][number]): AgentInputItem[] {
  if (message.role === 'user') return [{ role: 'user', content: message.content }];
  if (message.role === 'tool') {
    const output = { type: 'text', text: message.content } as const;
    const { tool_call_id: callId, name } = message;
    return [{ type: 'function_call_result', callId, name, status: 'completed', output }];
  }
  const calls = (message.tool_calls ?? []).map(({ id: callId, function: called }) => {
    return { type: 'function_call', callId, ...called } as const;
  });
  if (typeof message.content !== 'string') return calls;
  return [
    { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: message.content }] },
    ...calls,
  ];
}
