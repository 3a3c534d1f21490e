import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../../src/agent-service/index.ts';
import type { RunningGateway } from '../../src/agent-service/testing.ts';
import { data, startA2a, TaskState, text, type A2aCall } from '../helpers/a2a-agent.ts';
import { payloadTexts } from './history.ts';
import { playLines, STOP } from './models.ts';
import { startRig, type Rig } from './rig.ts';

const USER = ['hi', 'my order', STOP];
const EXTENSION = 'urn:tauflow:a2a:1';
let said = 0;
let gateway: RunningGateway;
let rig: Rig;

beforeAll(async () => {
  gateway = await startGateway();
  rig = await startRig({
    callModel: (request, options) => playLines({ agent: [], user: [USER[said++] ?? STOP] }).callModel(request, options),
    asksAgents: true,
    deps: { gateway: () => Promise.resolve(gateway), random: () => 0, agentKey: 'key-of-the-agent' },
  });
});
afterAll(async () => {
  await rig.stop();
  await gateway.close();
});

async function play(agentUrl: string, agentTools: string) {
  said = 0;
  const options = { omitPolicy: false, useReasoning: true, agentUrl, agentProtocol: 'a2a', agentTools };
  const config = { strategy: 'agent-service', strategyOptions: options, maxRetries: 3 };
  const handle = await rig.startEpisode(rig.episodeInput({}, config));
  const summary = await handle.result();
  return { handle, summary, record: await rig.log.readEpisode({ taskId: 0, trial: 0 }) };
}

const action = (name: string, args: object) => text(`<json>${JSON.stringify({ name, arguments: args })}</json>`);
const respond = (content: string) => action('respond', { content });

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
      respond('Which order?'),
      action('list_all_product_types', {}),
      respond('Done.'),
    ]);
    const agent = await startA2a(answer);
    const { summary, record, handle } = await play(agent.url, 'text');
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
      [respond('Which order?'), action('list_all_product_types', {}), respond('Done.')],
      (call, heard) => {
        if (heard !== 3 || died > 0) return;
        died += 1;
        contexts.clear();
        call.die();
      },
    );
    const agent = await startA2a(answer);
    const { summary } = await play(agent.url, 'text');
    expect(summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
    expect(died).toBe(1);
    // Three before, and three on the walk and after it.
    expect(agent.messages).toHaveLength(6);
  });

  it('that dies again while it is walked through it is walked once more', async () => {
    let deaths = 0;
    const { answer, contexts } = remembering(
      [respond('Which order?'), action('list_all_product_types', {}), respond('Done.')],
      (call, heard) => {
        if ((deaths === 0 && heard === 3) || (deaths === 1 && heard === 2)) {
          deaths += 1;
          contexts.clear();
          call.die();
        }
      },
    );
    const agent = await startA2a(answer);
    expect((await play(agent.url, 'text')).summary).toMatchObject({ outcome: 'user_stop', steps: 3 });
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
    expect((await play(agent.url, 'data')).summary).toMatchObject({ outcome: 'user_stop', steps: 5 });
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
    expect((await play(agent.url, 'mcp')).summary).toMatchObject({ outcome: 'user_stop', steps: 2 });
    expect(tasks.size).toBe(1);
  });

  it('that says nothing of an action has made an error of its own', async () => {
    const agent = await startA2a(({ say }) => say(text('Hello!')));
    expect((await play(agent.url, 'text')).summary).toMatchObject({ outcome: 'agent_error', steps: 0 });
  });
});
