import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources';
import { expect, it } from 'vitest';
import { createForwarder, TranscriptStore } from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import { startScriptedModel } from '../../../src/scripted-model/index.ts';
import type { ModelCallRequest } from '../../../src/agent-service/pure.ts';
import { CANCEL, LOOK_UP, task, tinyPack } from '../../scripted-model/helpers.ts';
import { bindingWith, send, serve } from './helpers.ts';

it('an agent that asks the scripted model through the gateway makes the task’s moves', async () => {
  const pack = tinyPack([task('Cancel my order.', [LOOK_UP, CANCEL])]);
  const scripted = await startScriptedModel({ packs: [pack] });
  try {
    const forward = createForwarder((name) => resolveProvider(name, {}, { scriptedUrl: scripted.url }));
    const store = new TranscriptStore();
    const modelCall = async ({ wire, transcript }: ModelCallRequest) => {
      const items = store.resolve(transcript.thread, transcript) ?? [];
      return await forward(
        {
          ...{ provider: 'scripted', model: 'oracle', wire, idempotencyKey: 'key' },
          items: items.map(({ content }) => (typeof content === 'string' ? content : '')),
        },
        { timeoutMs: 10_000 },
      );
    };
    const called: unknown[] = [];
    const { openaiUrl, toolsUrl } = (await serve()).open(
      bindingWith({
        modelCall,
        toolCall: ({ name, argumentsJson }) => {
          called.push([name, JSON.parse(argumentsJson)]);
          return Promise.resolve({ observation: 'done', done: false });
        },
      }),
    );
    const client = new OpenAI({ baseURL: openaiUrl, apiKey: 'anything' });
    const messages: ChatCompletionMessageParam[] = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Cancel my order. [case shop-3fa91c/test/0 s1]' },
    ];
    const tools = [{ type: 'function', function: { name: 'cancel_pending_order' } }] as const;
    for (let calls = 0; calls < 10; calls++) {
      const stream = client.chat.completions.stream({ model: 'gpt-4o', messages, tools: [...tools] });
      const message = (await stream.finalChatCompletion()).choices[0]?.message;
      const [call] = message?.tool_calls ?? [];
      if (message === undefined || call?.type !== 'function') break;
      messages.push(message);
      const { body } = await send(toolsUrl, call.function);
      messages.push({ role: 'tool', tool_call_id: call.id, content: (body as { observation: string }).observation });
    }
    expect(called).toEqual([
      ['get_order_details', { order_id: '#W1' }],
      ['cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' }],
    ]);
  } finally {
    await scripted.close();
  }
});
