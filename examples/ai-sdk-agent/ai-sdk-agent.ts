// A stateless agent on Vercel's AI SDK. Run npm install --workspaces=false in this folder, then:
// npx tauflow run --agent-url examples/ai-sdk-agent/ai-sdk-agent.ts

import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, jsonSchema, tool, type ModelMessage, type ToolSet } from 'ai';
import type { AgentTurn } from 'tauflow/agents';

export default async function agent(turn: AgentTurn): Promise<string> {
  const openai = createOpenAI({ baseURL: turn.modelUrl, apiKey: 'of-the-worker' });
  const tools: ToolSet = {};
  for (const { function: each } of turn.tools) {
    tools[each.name] = tool({
      description: each.description,
      inputSchema: jsonSchema<object>(each.parameters ?? { type: 'object' }),
      execute: (args) => turn.callTool(each.name, args),
    });
  }
  const { text } = await generateText({
    model: openai.chat(process.env['MODEL'] ?? 'gpt-5.4-mini'),
    system: turn.policy,
    messages: turn.conversation.map(toModelMessage),
    tools,
    stopWhen: stepCountIs(30),
    // tauflow repeats calls that fail for a while.
    maxRetries: 0,
  });
  return text;
}

function toModelMessage(message: AgentTurn['conversation'][number]): ModelMessage {
  if (message.role === 'user') return { role: 'user', content: message.content };
  if (message.role === 'tool') {
    const output = { type: 'text', value: message.content } as const;
    return {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: message.tool_call_id, toolName: message.name, output }],
    };
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.parse(args) as unknown } as const;
  });
  const said = typeof message.content === 'string' ? [{ type: 'text', text: message.content } as const] : [];
  return { role: 'assistant', content: [...said, ...calls] };
}
