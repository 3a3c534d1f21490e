import { describe, expect, it } from 'vitest';
import { startA2a, text } from '../../helpers/a2a-agent.ts';
import { startStub } from '../../helpers/a2a-stub.ts';
import { tauflow } from '../../cli/in-process.ts';

const FORM = { version: '0.3', binding: 'JSONRPC', streaming: false } as const;

/** An agent that answers with all that it has heard in the message's context. */
async function startRemembering(nameContext: (number: number) => string | undefined) {
  const heard = new Map<string, string>();
  return await startStub(({ message, context, number }) => {
    const known = `${heard.get(context) ?? ''} ${JSON.stringify(message['parts']).match(/#W\d+/)?.[0] ?? ''}`;
    heard.set(context, known);
    const parts = [{ text: `<json>{"name": "respond", "arguments": {"content": "${known}"}}</json>` }];
    const named = nameContext(number);
    return [{ message: { id: `a${number}`, parts }, ...(named === undefined ? {} : { context: named }) }];
  }, FORM);
}

describe('an agent that speaks A2A', { timeout: 60_000 }, () => {
  it('is checked without what only the walk through its episode helps', async () => {
    const agent = await startA2a(({ say }) =>
      say(text('<json>{"name": "respond", "arguments": {"content": "Hello"}}</json>')),
    );
    const { code, stdout } = await tauflow(['agent', 'check', agent.url]);
    expect(stdout).toMatch(/^✓ identity +shop helper 1\.2\.0, by A2A with its tools as text$/m);
    expect(stdout).toMatch(/^– crash +does not announce the extension urn:tauflow:a2a:1/m);
    expect(stdout).toMatch(/^– conversation +does not name #W1001 when the user asks which order turn 1 was about/m);
    expect(stdout).not.toContain('new process');
    expect(code).toBe(0);
    const { stdout: seen } = await tauflow(['doctor', '--agent-url', agent.url]);
    expect(seen).toMatch(/^✓ agent +shop helper 1\.2\.0, speaks A2A, with its tools as text, answers in/m);
  });

  it('has its tools in words, and its model answers in them', async () => {
    const told = new Map<string, { role: string; content: string }[]>();
    const agent = await startA2a(async ({ say, message, context }) => {
      const said = told.get(context) ?? [];
      told.set(context, said);
      const place = message.metadata?.['urn:tauflow:a2a:1'] as { model_url: string };
      const content = message.parts.map((part) => (part.content?.$case === 'text' ? part.content.value : '')).join('');
      said.push({ role: 'user', content });
      const reply = await fetch(`${place.model_url}/chat/completions`, {
        method: 'POST',
        body: JSON.stringify({ model: 'm', messages: said }),
      });
      const { choices } = (await reply.json()) as { choices: [{ message: { role: string; content: string } }] };
      said.push(choices[0].message);
      say(text(choices[0].message.content));
    });
    const { code, stdout } = await tauflow(['agent', 'check', agent.url]);
    expect(stdout).toMatch(/^✓ turn +answered: 1 tool call in answers, 2 model calls/m);
    expect(stdout).toMatch(/^✓ costs +calls its model at model_url or anthropic_url of the metadata/m);
    expect([code, stdout.includes('✗')]).toEqual([0, false]);
  });

  it('knows its conversation by a context that it does not name itself', async () => {
    const { url } = await startRemembering(() => undefined);
    const { stdout } = await tauflow(['agent', 'check', url]);
    expect(stdout).toMatch(/^✓ conversation +knows in a later turn what the user said in the first$/m);
  });

  it('is wrong where it names another context in each answer', async () => {
    const { url } = await startRemembering((number) => `context ${number}`);
    const { code, stdout } = await tauflow(['agent', 'check', url]);
    expect(stdout).toMatch(/^✗ conversation +names another context in each answer/m);
    expect(code).not.toBe(0);
  });

  it.each([
    ['its model gets all of it', true, /^✓ conversation +its model gets the user's earlier messages$/m],
    [
      'its model gets the last message alone',
      false,
      /^✗ conversation +its model does not get the user's message of turn 1/m,
    ],
  ])('is judged by what its model gets: %s', async (_, remembers, finding) => {
    const contexts = new Map<string, { role: string; content: string }[]>();
    const agent = await startA2a(async ({ message, context, say }) => {
      const [part] = message.parts;
      const content = part?.content?.$case === 'text' ? part.content.value : '';
      const messages = [...((remembers ? contexts.get(context) : undefined) ?? []), { role: 'user', content }];
      contexts.set(context, messages);
      const { model_url: url } = message.metadata?.['urn:tauflow:a2a:1'] as { model_url: string };
      const body = JSON.stringify({ model: 'any', messages });
      const reply = await fetch(`${url}/chat/completions`, { method: 'POST', body });
      const { choices } = (await reply.json()) as { choices: [{ message: { role: string; content: string | null } }] };
      const said = choices[0].message.content ?? 'Well.';
      messages.push({ role: 'assistant', content: said });
      const action = JSON.stringify({ name: 'respond', arguments: { content: said } });
      say(text(said.includes('<json>') ? said : `<json>${action}</json>`));
    });
    const { stdout } = await tauflow(['agent', 'check', agent.url]);
    expect(stdout).toMatch(finding);
  });
});
