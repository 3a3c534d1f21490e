/** Agents that are services: what they call, what they answer, and what they are to blame for. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { payloadTexts } from './history.ts';
import { STOP } from './models.ts';
import { playAgent } from './agents.ts';
import { LIST, REFUSED, REPLY, useServiceRig, write } from './service-rig.ts';

const stage = useServiceRig();

describe('an agent that is a service', () => {
  it('calls tools at their address, and is graded as any agent', async () => {
    const agent = await playAgent(async ({ request, tool }) => {
      if (request.turn > 1) return { message: 'done' };
      const { name, args } = write(stage.rig.pack);
      expect(await tool(name, args)).toMatchObject({ status: 200, body: { done: false } });
      return { message: 'it is changed' };
    });
    const { summary, record } = await stage.play(agent.url, ['hi', 'thanks', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3, turns: 2, agentCostUsd: null });
    expect(record?.trajectory.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
    const [first, second] = agent.requests;
    expect(first).toMatchObject({ turn: 1, request: 1, attempt: 1, messages: [{ role: 'user', content: 'hi' }] });
    expect(first?.policy).toBe(stage.rig.pack.policy);
    expect(second).toMatchObject({ turn: 2, request: 2, messages: [{ role: 'user', content: 'thanks' }] });
    expect(second?.conversation).toHaveLength(5);
    expect(JSON.stringify(agent.requests)).not.toMatch(
      /task|trial|reward/i.test(stage.rig.pack.policy) ? /"task_?[iI]d"/ : /"task/,
    );
  });

  it('calls models through the gateway: request, reply and observation stand in the history once', async () => {
    stage.forwarded.length = 0;
    const heard: string[] = [];
    const tokens = new Set<string>();
    const agent = await playAgent(async ({ request, tool, die }) => {
      tokens.add(/\/t\/([\w-]{43})\//.exec(request.tools_url)?.[1] ?? '');
      const messages = [{ role: 'user', content: 'a word that is looked for' }];
      const call = () =>
        fetch(`${request.model_url}/chat/completions`, {
          method: 'POST',
          body: JSON.stringify({ model: 'mine', messages }),
        }).then((response) => response.text());
      heard.push(await call());
      messages.push({ role: 'user', content: 'and more' });
      heard.push(await call());
      heard.push(JSON.stringify((await tool(...LIST)).body));
      // The second attempt gets what this process has handed over before.
      if (request.attempt === 1) die();
      return { message: 'done' };
    });
    const { summary, handle } = await stage.play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(heard.slice(3)).toEqual(heard.slice(0, 3));
    expect(stage.forwarded.map(({ items }) => items.length)).toEqual([2, 3]);
    const texts = payloadTexts(await handle.fetchHistory()).map((text) => text.replaceAll('\\', ''));
    const found = (text: string) => texts.filter((each) => each.includes(text)).length;
    expect(found('a word that is looked for')).toBe(1);
    expect(found(REPLY)).toBe(2);
    const observation = String((JSON.parse(heard[2] ?? '') as { observation: unknown }).observation);
    expect(observation.length).toBeGreaterThan(100);
    // The step's result, and the episode's record.
    expect(found(observation.replaceAll('\\', ''))).toBe(2);
    // One for each attempt.
    expect(tokens.size).toBe(2);
    for (const token of tokens) expect([token.length, found(token)]).toEqual([43, 0]);
  });

  it('ends the episode with a transfer, and is not heard any more', async () => {
    const agent = await playAgent(async ({ tool }) => {
      expect((await tool('transfer_to_human_agents', { summary: 'x' })).body).toMatchObject({ done: true });
      return new Promise(() => undefined);
    });
    const { summary } = await stage.play(agent.url, ['hi']);
    expect(summary).toMatchObject({ outcome: 'transferred', steps: 1 });
  });

  it('that reports a usage which cannot be read, or does not wait for its calls, is warned of once', async () => {
    const agent = await playAgent(({ request, tool }) => {
      void tool(...LIST);
      return { message: `said ${String(request.turn)}`, usage: { calls: 'many' } };
    });
    stage.warnings.length = 0;
    const { summary } = await stage.play(agent.url, ['hi', 'and?', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', agentCostUsd: null });
    const usage = `the agent at ${agent.url} reports a usage that cannot be read (calls: `;
    expect(stage.warnings.filter((warning) => warning.startsWith(usage))).toHaveLength(1);
    expect(
      stage.warnings.filter((warning) => / has answered while \d of its calls /.test(warning)).length,
    ).toBeLessThan(2);
  });

  it('is to blame at once for what its function throws', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-throws-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'mine.mjs');
    writeFileSync(path, 'export default ({ turn }) => (turn === 1 ? "hello" : {}.missing.key);');
    const { summary, record } = await stage.play(pathToFileURL(path).href, ['hi', 'and?']);
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0, steps: 1 });
    const message = `the agent in ${path} has failed: TypeError: Cannot read properties of undefined (reading 'key')`;
    expect(record?.outcome).toEqual({ kind: 'agent_error', error: 'agent_failed', message });
  });

  it('has failed for its model where the provider refused that', async () => {
    const agent = await playAgent(async ({ request }) => {
      const messages = [{ role: 'user', content: REFUSED }];
      const body = JSON.stringify({ model: 'mine', messages });
      const reply = await fetch(`${request.model_url}/chat/completions`, { method: 'POST', body });
      return { status: 500, body: { error: `NotFoundError: ${String(reply.status)}` } };
    });
    // An episode in an infrastructure error fails its workflow.
    const failure = await stage.play(agent.url, ['hi']).catch((error: unknown) => error);
    expect(agent.requests).toHaveLength(1);
    expect(failure).toMatchObject({
      cause: {
        message: expect.stringMatching(
          /\(\w+ refused the agent's call of .*: 404 no such path; check the address of /,
        ) as string,
      },
    });
  });

  it('is not to blame for a call that was not carried out', async () => {
    const agent = await playAgent(async ({ request, tool }) => {
      if (request.attempt > 1) return { message: 'done' };
      // It does not wait for the observation.
      void tool(...LIST).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { status: 500, body: { error: 'agent_failed', message: 'no observation' } };
    });
    const { summary } = await stage.play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop' });
    expect(agent.requests.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});
