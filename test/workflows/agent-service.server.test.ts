/** Agents that are services: what they call, what they answer, and what they are to blame for. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WITH_USER } from '../../src/agent-service/index.ts';
import { data, startA2a, TaskState, text, type A2aCall } from '../helpers/a2a-agent.ts';
import { payloadTexts } from './history.ts';
import { STOP } from './models.ts';
import { playAgent, type AgentCall } from './agents.ts';
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

const USER = ['hi', 'my order', STOP];
const EXTENSION = 'urn:tauflow:a2a:1';

/** Plays an episode with an agent that speaks A2A, and has its tools in this form. */
function playA2a(agentUrl: string, agentTools: string) {
  const options = { omitPolicy: false, useReasoning: true, agentUrl, agentProtocol: 'a2a', agentTools };
  return stage.play(agentUrl, USER, { strategyOptions: options, maxRetries: 3 });
}

const action = (name: string, args: object) => text(`<json>${JSON.stringify({ name, arguments: args })}</json>`);
const inWords = (content: string) => action('respond', { content });

/** An agent that keeps its conversations by context, as AgentBeats' example does, and says what comes next in each. */
function remembering(
  lines: readonly ReturnType<typeof text>[],
  onCall: (call: A2aCall, heard: number) => void = () => undefined,
) {
  const contexts = new Map<string, number>();
  const answer = (call: A2aCall) => {
    const heard = (contexts.get(call.context) ?? 0) + 1;
    contexts.set(call.context, heard);
    onCall(call, heard);
    call.say(lines[heard - 1] ?? text('lost'));
  };
  return { answer, contexts };
}

describe('an episode with an agent that speaks A2A', () => {
  it('goes through its actions in words, one a message', async () => {
    const { answer, contexts } = remembering([
      inWords('Which order?'),
      action('list_all_product_types', {}),
      inWords('Done.'),
    ]);
    const agent = await startA2a(answer);
    const { summary, record, handle } = await playA2a(agent.url, 'text');
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
    expect(record?.trajectory.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant', 'tool', 'assistant', 'user'],
    ]);
    expect(contexts.size).toBe(1);
    expect(agent.requests.at(-1)?.headers.authorization).toBe('Bearer key-of-the-agent');
    expect(payloadTexts(await handle.fetchHistory()).join('\n')).not.toContain('key-of-the-agent');
  });

  it('that dies is walked through it in a new context, at no step', async () => {
    let died = 0;
    const { answer, contexts } = remembering(
      [inWords('Which order?'), action('list_all_product_types', {}), inWords('Done.')],
      (call, heard) => {
        if (heard !== 3 || died > 0) return;
        died += 1;
        contexts.clear();
        call.die();
      },
    );
    const agent = await startA2a(answer);
    const { summary } = await playA2a(agent.url, 'text');
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
    expect(died).toBe(1);
    // Three before, and three on the walk and after it.
    expect(agent.messages).toHaveLength(6);
  });

  it('that dies again while it is walked through it is walked once more', async () => {
    let deaths = 0;
    const { answer, contexts } = remembering(
      [inWords('Which order?'), action('list_all_product_types', {}), inWords('Done.')],
      (call, heard) => {
        if ((deaths === 0 && heard === 3) || (deaths === 1 && heard === 2)) {
          deaths += 1;
          contexts.clear();
          call.die();
        }
      },
    );
    const agent = await startA2a(answer);
    expect((await playA2a(agent.url, 'text')).summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
    expect(deaths).toBe(2);
  });

  it('calls tools at the address in its data, and in its answers', async () => {
    const agent = await startA2a(
      async ({ message, say }) => {
        const request = message.parts.find(({ content }) => content?.$case === 'data')?.content?.value as {
          readonly tools_url: string;
          readonly request: number;
        };
        if (request.request === 2) {
          say(data({ tool_calls: [{ name: 'list_all_product_types' }] }));
          return;
        }
        await fetch(request.tools_url, { method: 'POST', body: '{"name": "list_all_product_types"}' });
        say(data({ message: 'Well?' }));
      },
      { card: { capabilities: { extensions: [{ uri: EXTENSION }] } } },
    );
    expect((await playA2a(agent.url, 'data')).summary).toMatchObject({ outcome: 'user_stop', steps: 5 });
  });

  it('asks the user by a task that needs input, and continues it', async () => {
    const tasks = new Set<string>();
    const agent = await startA2a(
      ({ task, state }) => {
        tasks.add(task);
        state(TaskState.TASK_STATE_INPUT_REQUIRED, text('Which order?'));
      },
      { card: { capabilities: { streaming: true, extensions: [{ uri: EXTENSION, params: { tools: 'mcp' } }] } } },
    );
    expect((await playA2a(agent.url, 'mcp')).summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(tasks.size).toBe(1);
  });

  it('that says nothing of an action has made an error of its own', async () => {
    const agent = await startA2a(({ say }) => say(text('Hello!')));
    expect((await playA2a(agent.url, 'text')).summary).toMatchObject({ outcome: 'agent_error', steps: 0 });
  });
});

/** Lets an agent that knows nothing but MCP lead the whole conversation in its first request. */
async function playMcp(agent: (client: Client, call: AgentCall) => Promise<void>) {
  const served = await playAgent(async (call) => {
    const client = new Client({ name: 'agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${call.request.mcp_url}${WITH_USER}`)));
    try {
      await agent(client, call);
    } finally {
      await client.close();
    }
    return { end: true };
  });
  return stage.play(served.url, USER);
}

const respond = (client: Client, content: string) =>
  client.callTool({ name: 'respond_to_user', arguments: { content } });

describe('an agent that knows nothing but MCP', () => {
  it('sees policy and tools, and speaks to the user by a tool until the user ends it', async () => {
    const { summary, record } = await playMcp(async (client) => {
      expect(client.getInstructions()).toBe(stage.rig.pack.policy);
      const { tools } = await client.listTools();
      expect(tools.find(({ name }) => name === 'list_all_product_types')?.annotations?.readOnlyHint).toBe(true);
      expect(tools.find(({ name }) => name === 'cancel_pending_order')?.annotations?.readOnlyHint).toBe(false);
      await client.callTool({ name: 'list_all_product_types' });
      const reply = await respond(client, 'What is it about?');
      expect(reply.structuredContent).toEqual({ observation: 'my order', done: false });
      await respond(client, 'I see.');
    });
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
    expect(record?.trajectory.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'user'],
    ]);
  });

  it('that dies is asked again, and says nothing twice', async () => {
    const { summary } = await playMcp(async (client, { request, die }) => {
      await respond(client, 'What is it about?');
      if (request.attempt === 1) die();
      await respond(client, 'I see.');
    });
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(stage.said).toBe(3);
  });
});
