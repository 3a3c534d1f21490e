/** Agents that are services: what they call, what they answer, and what they are to blame for. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { payloadTexts } from './history.ts';
import { STOP } from './models.ts';
import { playAgent, type AgentCall } from './agents.ts';
import { LIST, names, REFUSED, REPLY, useServiceRig, write } from './service-rig.ts';

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

  it('calls tools in its answer, and gets their results', async () => {
    const agent = await playAgent(({ request }) => {
      const { name, args } = write(stage.rig.pack);
      if (request.request === 1)
        return {
          tool_calls: [
            { name, arguments: args },
            { id: 'x', name: 'no_such_tool', arguments: '{}' },
          ],
        };
      return { message: 'done' };
    });
    const { summary } = await stage.play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(agent.requests[1]).toMatchObject({ turn: 1, request: 2 });
    expect(agent.requests[1]?.messages).toMatchObject([
      { role: 'tool' },
      { role: 'tool', tool_call_id: 'x', content: 'Unknown action no_such_tool' },
    ]);
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

  it('has its costs by the parts that it names', async () => {
    const agent = await playAgent(async ({ request }) => {
      for (let call = 0; call < 22; call++) {
        const body = { model: 'mine', messages: [{ role: 'user', content: `call ${call}` }] };
        const headers = { 'x-tauflow-role': `part-${call}` };
        await fetch(`${request.model_url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
      }
      return { message: 'done' };
    });
    const { record } = await stage.play(agent.url, ['hi', STOP]);
    const calls = record?.usage
      .filter(({ role }) => role.startsWith('agent'))
      .map((usage) => [usage.role, usage.calls]);
    expect(calls).toHaveLength(21);
    expect(calls).toContainEqual(['agent/part-19', 1]);
    expect(calls).toContainEqual(['agent', 2]);
  });

  it('has no more steps than the run allows, whatever it calls', async () => {
    let last: Awaited<ReturnType<AgentCall['tool']>> | undefined;
    const agent = await playAgent(async ({ tool }) => {
      for (let calls = 0; calls < 10_000; calls++) {
        last = await tool(...LIST);
        if (last.status !== 200) break;
      }
      return { message: 'never heard' };
    });
    const { summary } = await stage.play(agent.url, ['hi'], { maxSteps: 3 });
    expect(summary).toMatchObject({ outcome: 'max_steps', steps: 3 });
    expect(last).toMatchObject({ status: 410, body: { error: 'over' } });
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

  it('ends the conversation itself', async () => {
    const agent = await playAgent(() => ({ end: true }));
    expect((await stage.play(agent.url, ['hi'])).summary).toMatchObject({ outcome: 'agent_stop', steps: 0 });
  });

  it('is to blame for an answer that is none', async () => {
    const agent = await playAgent(() => ({ text: 'hello' }));
    const { summary } = await stage.play(agent.url, ['hi']);
    expect(summary).toMatchObject({ outcome: 'agent_error', reward: 0, agentCostUsd: null });
  });

  it('makes parallel calls in order, and its answer waits for them', async () => {
    const agent = await playAgent(({ tool }) => {
      const { name, args } = write(stage.rig.pack);
      void tool(...LIST);
      void tool(name, args);
      return new Promise((resolve) => setTimeout(() => resolve({ message: 'done' }), 20));
    });
    const { summary, record } = await stage.play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 3 });
    expect(names(record?.actions)).toEqual(['list_all_product_types', write(stage.rig.pack).name, 'respond']);
  });

  it('keeps its answer by its key, and what it was made of counts', async () => {
    const kept = new Map<string, object>();
    const agent = await playAgent(async ({ request, tool, die }) => {
      const before = kept.get(request.idempotency_key);
      if (before !== undefined) return before;
      const { name, args } = write(stage.rig.pack);
      await tool(name, args);
      kept.set(request.idempotency_key, { message: 'done', attempt: request.attempt });
      return die();
    });
    const { summary } = await stage.play(agent.url, ['hi', STOP]);
    expect(summary).toMatchObject({ outcome: 'user_stop', reward: 1, steps: 2 });
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
