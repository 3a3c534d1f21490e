import { describe, expect, it } from 'vitest';
import { tauflow } from '../in-process.ts';
import { startAgent, stateless } from '../../agent-service/check/agents.ts';

async function agentLine(url: string, env: Readonly<Record<string, string>> = {}): Promise<string | undefined> {
  const { stdout } = await tauflow(['doctor', '--agent-url', url], { env });
  return stdout.split('\n').find((line) => /^. agent\s/.test(line));
}

describe('doctor, of an agent that is a service', () => {
  it('shows who answers, and how to try it', async () => {
    const url = await startAgent(stateless);
    expect(await agentLine(url, { TAUFLOW_AGENT_KEY: 'very-secret' })).toMatch(
      /^✓ agent {14}mine 2, answers in \d+ ms, with the key of TAUFLOW_AGENT_KEY; try it with: tauflow agent check http/,
    );
  });

  it.each([
    [{}, /^✓ .* gives no name and version, answers in \d+ ms; /],
    [{ protocol: '2' }, /^✗ .* speaks version 2 of the protocol; this tauflow speaks 1$/],
  ])('reads what it says of itself: %j', async (identity, line) => {
    expect(await agentLine(await startAgent(stateless, identity))).toMatch(line);
  });

  it.each([
    ['http://127.0.0.1:1', /^✗ .*; start the agent, or check its URL$/],
    ['http://me:secret@127.0.0.1:1', /^✗ .* --agent-url is no URL of an agent; /],
    ['no-such-file.ts', /^✗ agent .*no-such-file\.ts/],
  ])('shows what is wrong with %s', async (url, line) => {
    const shown = await agentLine(url);
    expect(shown).toMatch(line);
    expect(shown).not.toContain('secret');
  });
});
