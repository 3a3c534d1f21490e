import { describe, expect, it } from 'vitest';
import { startA2a, text } from '../../helpers/a2a-agent.ts';
import { tauflow } from '../in-process.ts';

describe('an agent that speaks A2A', { timeout: 60_000 }, () => {
  it('is checked without what only the walk through its episode helps', async () => {
    const agent = await startA2a(({ say }) =>
      say(text('<json>{"name": "respond", "arguments": {"content": "Hello"}}</json>')),
    );
    const { code, stdout } = await tauflow(['agent', 'check', agent.url]);
    expect(stdout).toMatch(/^✓ identity +shop helper 1\.2\.0, by A2A with its tools as text$/m);
    expect(stdout).toMatch(/^– crash +does not announce the extension urn:tauflow:a2a:1/m);
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
});
