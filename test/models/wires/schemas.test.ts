/** JSON schemas of replies, over each of the three APIs; and what is sent where one is refused. */

import { afterEach, describe, expect, it } from 'vitest';
import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { createModelCaller, type ModelRequest, type ReplySchema } from '../../../src/models/index.ts';
import { resolveProvider } from '../../../src/models/providers.ts';
import { OPTIONS } from '../../agents/fake-session.ts';
import { answerError, answerJson, completion, KEY, openaiEnv, startFakeProvider, type Answer } from '../helpers.ts';
import { MESSAGES_KEY, startStrictMessages } from './strict-messages.ts';
import { startStrictResponses } from './strict-responses.ts';
import { schemaProblem } from './strict-schema.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

function schemaText(key: string, env = 'retail'): ReplySchema['schema'] {
  const text = fastWorkflow.texts?.[key]?.({ env, policy: '', toolsJson: '[]', options: OPTIONS });
  return JSON.parse(text ?? 'null') as ReplySchema['schema'];
}

const schema: ReplySchema = { name: 'react_schema', schema: schemaText('react/schema') };
const request = {
  messages: [{ role: 'user', content: 'Answer with JSON.' }],
  temperature: null,
  format: 'json',
  schema,
  idempotencyKey: 'k',
} as const;

const send = (asked: Pick<ModelRequest, 'provider' | 'model' | 'wire'>, env: NodeJS.ProcessEnv) =>
  createModelCaller((name) => resolveProvider(name, env))({ ...request, ...asked }, { timeoutMs: 10_000 });

async function formats(model: string, ...answers: readonly Answer[]) {
  const provider = await startFakeProvider(...answers);
  open.push(provider);
  const reply = await send({ provider: 'openai', model }, openaiEnv(provider));
  return { reply, formats: provider.requests.map(({ body }) => body['response_format']) };
}

describe('FastWorkflow’s schemas', () => {
  const keys = Object.keys(fastWorkflow.texts ?? {}).filter(
    (key) => key.endsWith('/schema') && !key.startsWith('extraction/'),
  );
  it.each(keys.filter((key) => key !== 'rank/schema'))('are accepted by services: %s', (key) => {
    expect(schemaProblem(schemaText(key))).toBeNull();
  });

  it('of parameters are accepted for every command', () => {
    for (const [env, command] of [
      ['retail', 'return_delivered_order_items'],
      ['airline', 'book_reservation'],
    ] as const) {
      expect(schemaProblem(schemaText(`extraction/${command}/schema`, env))).toBeNull();
    }
  });
});

describe('a schema', () => {
  it('is sent over chat completions to a model that supports it', async () => {
    const sent = await formats('gpt-4o', answerJson(completion()));
    expect(sent.formats).toEqual([{ type: 'json_schema', json_schema: { ...schema, strict: true } }]);
  });

  it('is not sent to other models', async () => {
    expect((await formats('gpt-4-turbo', answerJson(completion()))).formats).toEqual([{ type: 'json_object' }]);
  });

  it.each([
    ["Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.", 'response_format'],
    ['This response_format type is unavailable now', null],
    ['Invalid schema for response_format: anyOf is not permitted', 'response_format'],
  ])('is replaced by any JSON object if a server answers %j', async (message, param) => {
    const refused = answerError(400, { message, ...(param === null ? {} : { param }) });
    const sent = await formats('gpt-4o', refused, answerJson(completion()));
    expect(sent.formats.map((format) => (format as { type: string }).type)).toEqual(['json_schema', 'json_object']);
    expect(sent.reply.leftOut).toEqual(['response_format (sent as json_object)']);
  });

  it('is left out if no JSON mode is supported', async () => {
    const refused = answerError(400, { message: "'response_format' is not supported", param: 'response_format' });
    const sent = await formats('gpt-4o', refused, refused, answerJson(completion()));
    expect(sent.formats.at(-1)).toBeUndefined();
  });

  it('is sent over Responses', async () => {
    const server = await startStrictResponses(KEY, () => ({ content: '{}' }));
    open.push(server);
    const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url };
    const reply = await send({ provider: 'openai', model: 'gpt-5.6', wire: 'responses' }, env);
    expect(server.refusals).toEqual([]);
    expect(reply.leftOut).toBeUndefined();
  });

  it('is replaced there as well', async () => {
    const refused = answerError(400, { message: "Unsupported value: 'text.format'", param: 'text.format' });
    const answered = {
      id: 'r',
      object: 'response',
      status: 'completed',
      model: 'm',
      output: [{ type: 'message', content: [{ type: 'output_text', text: '{}' }] }],
    };
    const provider = await startFakeProvider(refused, answerJson(answered));
    open.push(provider);
    await send({ provider: 'openai', model: 'gpt-5.6', wire: 'responses' }, openaiEnv(provider));
    expect(provider.requests.map(({ body }) => (body['text'] as { format: { type: string } }).format.type)).toEqual([
      'json_schema',
      'json_object',
    ]);
  });

  it('is sent over Messages, with an effort', async () => {
    const server = await startStrictMessages(() => ({ blocks: '[{"type": "text", "text": "{}"}]' }));
    open.push(server);
    const env = { ANTHROPIC_API_KEY: MESSAGES_KEY, ANTHROPIC_BASE_URL: server.url };
    const callModel = createModelCaller((name) => resolveProvider(name, env));
    const asked = {
      ...request,
      provider: 'anthropic',
      model: 'claude-opus-4-8',
      wire: 'messages',
      reasoning_effort: 'high',
    } as const;
    await callModel(asked, { timeoutMs: 10_000 });
    expect(server.refusals).toEqual([]);
    expect(server.requests[0]?.['output_config']).toEqual({
      effort: 'high',
      format: { type: 'json_schema', schema: schema.schema },
    });
    await callModel({ ...asked, model: 'claude-sonnet-4-20250514' }, { timeoutMs: 10_000 });
    expect(JSON.stringify(server.requests[1])).not.toContain('json_schema');
  });
});
