import { describe, expect, it } from 'vitest';
import { Bridge } from '../../../src/agents/fastworkflow/testing.ts';
import { renderObsForAgent, type PlannedCommand } from '../../../src/agents/fastworkflow/public.ts';
import { AgentError, type StrategyOptions } from '../../../src/agents/index.ts';
import { listActions, RESPOND, applyAction, openOverlay, type Action } from '../../../src/benchmarks/index.ts';
import { dict, shop, field, pyValues, readDomain, readTasks } from '../../benchmarks/helpers.ts';
import { benchSession } from '../bench-session.ts';
import { fakeSession, type FakeSessionSetup, OPTIONS } from '../fake-session.ts';
import fc from 'fast-check';
import { dumpJson, parseJson, isDict, isList, type PyValue } from '../../../src/benchmarks/python/index.ts';
import { describeWithReference } from '../../helpers/reference.ts';

const LOOK: PlannedCommand = { commandName: 'get_order_details', cmdParameters: { order_id: '#W1' } };
const CANCEL: PlannedCommand = {
  commandName: 'cancel_pending_order',
  cmdParameters: new Map([
    ['order_id', '#W1'],
    ['reason', 'no longer needed'],
  ]),
};

function bridgeOn(setup: Partial<FakeSessionSetup> = {}, options: Partial<StrategyOptions> = {}) {
  const session = fakeSession({ replies: [], ...setup });
  return { session, bridge: new Bridge(session, { ...OPTIONS, ...options }) };
}

function bridgeOnShop(options: Partial<StrategyOptions> = {}, maxSteps = 30) {
  const session = benchSession(shop, { replies: [], maxSteps, userReplies: ['Yes.'] });
  return { session, bridge: new Bridge(session, { ...OPTIONS, ...options }) };
}

const textOf = async (acted: ReturnType<Bridge['execute']>) => {
  const done = await acted;
  return done.kind === 'observed' ? done.text : `ended: ${done.end}`;
};

describe('a planned command', () => {
  it('becomes an action of the same name, and its observation is read as JSON', async () => {
    const { session, bridge } = bridgeOn({ tool: () => '{"status": "pending", "amount": 131.0}' });
    expect(await bridge.execute(LOOK)).toEqual({
      kind: 'observed',
      text: '{"amount": 131.0, "status": "pending"}',
    });
    expect(session.steps).toEqual(['get_order_details {"order_id": "#W1"}']);
  });

  it.each([
    ['10 + 5 * 2', '20.0'],
    ['10 / 0', 'Error: division by zero'],
  ])('calculates %s as the benchmark does; what a tool refuses is an observation', async (expression, expected) => {
    const { session, bridge } = bridgeOnShop();
    const text = await textOf(bridge.execute({ commandName: 'calculate', cmdParameters: { expression } }));
    expect(text).toBe(expected);
    expect(session.actions).toHaveLength(1);
  });

  it('shows an order as cancelled after it was cancelled', async () => {
    const { bridge } = bridgeOnShop();
    await bridge.execute(CANCEL);
    expect(await textOf(bridge.execute(LOOK))).toContain('"status": "cancelled"');
  });

  it('calls the tool that the run maps it to, also in the trajectory', async () => {
    const { session, bridge } = bridgeOn({}, { toolNames: { get_order_details: 'fetch_order' } });
    await bridge.execute(LOOK);
    await bridge.execute(CANCEL);
    expect(listActions(session.trajectory).map(({ name }) => name)).toEqual(['fetch_order', 'cancel_pending_order']);
  });

  it('without a tool is reported to the agent with both names, and counted', async () => {
    const { session, bridge } = bridgeOnShop({ toolNames: { get_order_details: 'fetch_order' } });
    const text = await textOf(bridge.execute(LOOK));
    expect(text).toContain('The command get_order_details could not be carried out');
    expect(text).toContain('the tool fetch_order, which this environment does not have');
    expect(Object.fromEntries(session.counts)).toEqual({ missing_tools: 1 });
    expect(session.trajectory.at(-1)).toMatchObject({ role: 'tool', content: 'Unknown action fetch_order' });
    expect(await textOf(bridge.execute(CANCEL))).toContain('"status": "cancelled"');
  });

  it('ends the agent before any step if its parameters cannot be arguments', async () => {
    const { session, bridge } = bridgeOn();
    const planned = { commandName: 'get_order_details', cmdParameters: { order_id: () => '#W1' } };
    await expect(bridge.execute(planned)).rejects.toThrow(AgentError);
    await expect(bridge.execute(planned)).rejects.toThrow('parameters.order_id cannot become an argument');
    expect(session.steps).toEqual([]);
    expect(session.trajectory).toHaveLength(2);
  });

  it('returns nothing to the agent if it ends the episode', async () => {
    const { bridge } = bridgeOnShop();
    const transfer = { commandName: 'transfer_to_human_agents', cmdParameters: { summary: 'enough' } };
    expect(await bridge.execute(transfer)).toEqual({ kind: 'ended', end: 'done' });
  });

  it('is not executed without steps left, and the last step ends the episode', async () => {
    const { session, bridge } = bridgeOnShop({}, 1);
    expect(await bridge.execute(LOOK)).toEqual({ kind: 'ended', end: 'max_steps' });
    expect(await bridge.execute(LOOK)).toEqual({ kind: 'ended', end: 'max_steps' });
    expect(session.actions).toHaveLength(1);
    expect(listActions(session.trajectory)).toHaveLength(1);
  });
});

describe('messages to the user', () => {
  it('are a respond action whose result is the user’s unchanged answer', async () => {
    const { session, bridge } = bridgeOnShop();
    expect(await bridge.say('Shall I?')).toEqual({ kind: 'observed', text: 'Yes.' });
    expect(await bridge.say('Done.')).toEqual({ kind: 'ended', end: 'done' });
    expect(session.steps).toEqual(['respond {"content": "Shall I?"}', 'respond {"content": "Done."}']);
  });
});

describe('the trajectory', () => {
  it('replays to the actions that were taken', async () => {
    const { session, bridge } = bridgeOnShop();
    await bridge.execute(LOOK);
    await bridge.say('Shall I cancel?');
    await bridge.execute(CANCEL);
    expect(listActions(session.trajectory)).toEqual(session.actions);
    const ids = session.trajectory.map((message) => (message.role === 'tool' ? message.tool_call_id : null));
    expect(ids.filter((id) => id !== null)).toEqual(['call_0', 'call_1']);
  });

  it('gets new ids if another strategy has begun it', async () => {
    const session = benchSession(shop, { replies: [], userReplies: ['Yes.'] });
    const call = {
      id: 'call_0',
      type: 'function',
      function: { name: 'list_all_product_types', arguments: '{}' },
    } as const;
    session.trajectory.push(
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_0', name: 'list_all_product_types', content: '{}' },
    );
    await new Bridge(session, OPTIONS).execute(LOOK);
    expect(session.trajectory.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'call_1' });
  });

  it('has a live transcript beside it, of every step and what came of it', async () => {
    const { session, bridge } = bridgeOnShop();
    await bridge.execute(CANCEL);
    await bridge.say('Cancelled. Anything else?');
    expect(session.transcript.map(({ what }) => what)).toEqual(['step', 'observation', 'reply', 'user']);
    expect(session.transcript[0]?.text).toBe('cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}');
    expect(session.transcript.slice(2).map(({ text }) => text)).toEqual(['Cancelled. Anything else?', 'Yes.']);
  });
});

describe('a command in decision-only mode', () => {
  it('is in the trajectory and takes no step, and the agent gets a note', () => {
    const { session, bridge } = bridgeOnShop();
    const { text } = bridge.decide(CANCEL);
    expect(text).toBe(
      'Nothing was executed, because only decisions are wanted. ' +
        'Decided: cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}',
    );
    bridge.decide(LOOK);
    expect(session.actions).toEqual([]);
    const kwargs = dict('{"order_id": "#W1", "reason": "no longer needed"}');
    expect(listActions(session.trajectory)).toEqual<Action[]>([
      { name: 'cancel_pending_order', kwargs },
      { name: 'get_order_details', kwargs: dict('{"order_id": "#W1"}') },
    ]);
  });
});

const render = (observation: string, source = 'calculate', done = false) =>
  renderObsForAgent({ observation, info: { source, done } }, 'calculate');

/** The same value with the keys of every object in the opposite order. */
function reversed(value: PyValue): PyValue {
  if (isList(value)) return value.map(reversed);
  if (!isDict(value)) return value;
  return new Map(Array.from(value, ([key, item]) => [key, reversed(item)] as const).reverse());
}

describe('the agent reads a step', () => {
  it('as JSON with sorted keys at every level and with numbers in their own spelling', () => {
    expect(render('{"zip": 131, "a": {"c": 131.0, "b": [{"z": 1e3, "y": -0.0}]}}')).toBe(
      '{"a": {"b": [{"y": -0.0, "z": 1000.0}], "c": 131.0}, "zip": 131}',
    );
    expect(render('[{"b": 1, "a": 2}]')).toBe('[{"a": 2, "b": 1}]');
  });

  it('with its source and its end only if they have content', () => {
    expect(render('{"a": 1}', 'user')).toBe('{"observation": {"a": 1}, "source": "user"}');
    expect(render('ok', 'calculate', true)).toBe('{"done": true, "observation": "ok"}');
  });

  it('as text, also if the text is a number or a word of JSON', () => {
    for (const text of ['20.0', 'null', '"quoted"', 'Error: order not found', '{"cut short": ', '[1] item']) {
      expect(render(text)).toBe(text);
      expect(field(parseJson(render(text, 'x', true)), 'observation')).toBe(text);
    }
  });

  it('on one line: a text with several, or without any word, is written as JSON', () => {
    expect(render('')).toBe('""');
    expect(render(' ')).toBe('" "');
    expect(render('ok\n\n[[ ## observation_7 ## ]]')).toBe('"ok\\n\\n[[ ## observation_7 ## ]]"');
  });

  it('with letters of any language as they are, and control characters escaped', () => {
    expect(render('Grüße, 東京 🙂')).toBe('Grüße, 東京 🙂');
    expect(render('東京\n')).toBe('"東京\\n"');
    expect(render('{"\\u00fc": "\\u6771 \\u0007 \\\\u00fc"}')).toBe('{"ü": "東 \\u0007 \\\\u00fc"}');
  });

  it('equally for equal observations in any order of keys', () => {
    fc.assert(
      fc.property(pyValues, (value) => {
        expect(render(dumpJson({ value: reversed(value) }))).toBe(render(dumpJson({ value })));
      }),
    );
  });

  it('without loss', () => {
    fc.assert(
      fc.property(pyValues, (value) => {
        const read = field(parseJson(render(dumpJson({ value }))), 'value');
        expect(read).toEqual(value);
      }),
    );
  });

  it('with the three fields only', () => {
    const info = {
      source: 'user',
      done: true,
      task: { instruction: 'You want a refund.' },
      reward_info: { reward: 1 },
    };
    const step = { observation: 'ok', info, reward: 1, timestamp: '2024-05-15' };
    expect(renderObsForAgent(step, 'calculate')).toBe('{"done": true, "observation": "ok", "source": "user"}');
  });
});

describeWithReference('What the agent reads on the benchmark’s ground truth', (dir) => {
  const data = readDomain(dir, 'retail');

  it.each([
    ['test', 500],
    ['dev', 25],
  ])('holds nothing of the task but what the tool said (%s)', (split, least) => {
    let steps = 0;
    for (const task of readTasks(dir, 'retail', split)) {
      const overlay = openOverlay(data);
      for (const action of task.actions) {
        if (action.name === RESPOND) continue;
        const { observation, source, done } = applyAction(data, overlay, action);
        const text = renderObsForAgent({ observation, info: { source, done: false } }, action.name);
        const shown = /^[[{]/.test(observation) ? parseJson(text) : text;
        expect(shown).toEqual(/^[[{]/.test(observation) ? parseJson(observation) : observation);
        const last = renderObsForAgent({ observation, info: { source, done: true } }, action.name);
        expect(field(parseJson(last), 'done')).toBe(true);
        expect(done).toBe(action.name === 'transfer_to_human_agents');
        expect(text).not.toContain(task.instruction.trim().slice(0, 40));
        expect(text).not.toMatch(/"(reward|reward_info|gt_data_hash|r_actions|instruction|task|user_cost)"/);
        steps++;
      }
    }
    expect(steps).toBeGreaterThanOrEqual(least);
  });
});
