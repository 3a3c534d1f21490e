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
});
