import { describe, expect, it, vi } from 'vitest';
import type { StrategyDefinition } from '../../../src/agents/index.ts';
import type { StrategyTextContext } from '../../../src/agents/public.ts';
import { expandMessages, prepareRequest, PromptError, toolSchemas } from '../../../src/models/prompts/index.ts';
import { smallPack } from '../helpers.ts';

const strategy: StrategyDefinition = {
  name: 'probe',
  label: 'P',
  solve: () => Promise.resolve('done'),
  texts: {
    catalogue: ({ policy, toolsJson, options }) => `${policy}|${toolsJson.length}|${String(options.omitPolicy)}`,
  },
};

type PromptContext = Parameters<typeof prepareRequest>[1];

function context(changes: Partial<PromptContext> = {}): PromptContext {
  return {
    pack: smallPack(),
    split: 'test',
    taskId: 0,
    strategy,
    options: { omitPolicy: false, useReasoning: true },
    seed: 1,
    ...changes,
  };
}

describe('the schema of a reply', () => {
  const schema = { type: 'object', properties: {} };
  const probe = { ...strategy, texts: { 'react/schema': () => JSON.stringify(schema) } };
  const request = {
    provider: 'openai',
    model: 'm',
    temperature: 0,
    messages: [],
    tools: false,
    format: 'json',
    idempotencyKey: 'k',
  } as const;

  it('is a text of the strategy, under a name that providers accept', () => {
    const ready = prepareRequest({ ...request, schema: 'react/schema' }, context({ strategy: probe }));
    expect(ready.request.schema).toEqual({ name: 'react_schema', schema });
    expect(prepareRequest(request, context({ strategy: probe })).request).not.toHaveProperty('schema');
  });

  it("must be one of the strategy's", () => {
    const prepare = () => prepareRequest({ ...request, schema: 'other' }, context({ strategy: probe }));
    expect(prepare).toThrow(PromptError);
  });
});

describe('the filling in of prompts', () => {
  it('fills in every kind of reference and joins the parts without a separator', () => {
    const [agent, user] = expandMessages(
      [
        { role: 'system', content: [{ ref: 'policy' }, '\n', { ref: 'agent-prompt', key: 'react_instruction' }] },
        { role: 'user', content: [{ ref: 'user-greeting' }, ' ', { ref: 'user-system', strategy: 'llm' }] },
      ],
      context(),
    );
    expect(agent).toEqual({ role: 'system', content: 'Be kind.\nThink first.' });
    expect(user).toEqual({ role: 'user', content: 'How can I help? You want: a $& refund.' });
  });

  it("shows the tools as one line in Python's spelling, and offers them as the pack has them", () => {
    const pack = smallPack();
    const [message] = expandMessages([{ role: 'system', content: [{ ref: 'tools' }] }], context({ pack }));
    expect(message?.content).toContain('"name": "look_up", "description": "Caf\\u00e9"');
    expect(toolSchemas(pack)).toMatchObject([{ type: 'function', function: { name: 'look_up', description: 'Café' } }]);
    expect(toolSchemas(pack)).toBe(toolSchemas(pack));
  });

  it("derives a strategy's text once per pack and options", () => {
    const render = vi.fn(
      (text: StrategyTextContext) => `catalogue, policy omitted: ${String(text.options.omitPolicy)}`,
    );
    const probe = { ...strategy, texts: { catalogue: render } };
    const pack = smallPack();
    const ask = (omitPolicy: boolean) =>
      expandMessages(
        [{ role: 'system', content: [{ ref: 'strategy-text', key: 'catalogue' }] }],
        context({ pack, strategy: probe, options: { omitPolicy, useReasoning: true } }),
      )[0]?.content;
    expect([ask(false), ask(true), ask(false)]).toEqual([
      'catalogue, policy omitted: false',
      'catalogue, policy omitted: true',
      'catalogue, policy omitted: false',
    ]);
    expect(render).toHaveBeenCalledTimes(2);
  });

  it('leaves assistant and tool messages as they are', () => {
    const messages = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'look_up', arguments: '{' } }],
      },
      { role: 'tool', tool_call_id: 'c', name: 'look_up', content: '' },
      { role: 'user', content: '' },
      { role: 'user', content: [] },
    ] as const;
    expect(expandMessages(messages, context())).toEqual([...messages.slice(0, 3), { role: 'user', content: '' }]);
  });

  it.each([
    [
      { ref: 'agent-prompt', key: 'toString' },
      'the pack small has no agent prompt "toString", which a prompt refers to',
    ],
    [{ ref: 'strategy-text', key: 'nothing' }, 'the strategy probe has no text "nothing", which a prompt refers to'],
  ] as const)('reports what is missing for %j', (ref, message) => {
    const expand = () => expandMessages([{ role: 'system', content: [ref] }], context());
    expect(expand).toThrow(new PromptError(message));
  });

  it('reports that the task is not in the pack', () => {
    const expand = () =>
      expandMessages([{ role: 'system', content: [{ ref: 'user-system', strategy: 'llm' }] }], context({ taskId: 7 }));
    expect(expand).toThrow('the pack small has no task "test 7", which a prompt refers to');
  });

  it('reports that the pack has no texts for a user strategy', () => {
    const expand = () =>
      expandMessages([{ role: 'system', content: [{ ref: 'user-system', strategy: 'x' }] }], context());
    expect(expand).toThrow(/no prompts for the user strategy "x"/);
  });
});
