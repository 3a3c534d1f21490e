import { describe, expect, it } from 'vitest';
import { Bridge, emptyMemory, Repeats, understand, marker } from '../../../src/agents/fastworkflow/testing.ts';
import {
  plan,
  type CommandPlan,
  type IntentClassifier,
  type Turn,
  type AgentContext,
} from '../../../src/agents/fastworkflow/public.ts';
import { fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { AgentError, type StrategyOptions } from '../../../src/agents/index.ts';
import { type FakeSession, fakeSession, OPTIONS, type ScriptedReply } from '../fake-session.ts';
import { RETAIL } from './commands.ts';
import { clarifyReply } from './replies.ts';
import { systemText, userText } from './rig.ts';
import fc from 'fast-check';

interface Desk {
  readonly shop: AgentContext;
  readonly session: FakeSession;
  readonly say: (command: string) => Promise<CommandPlan>;
}

/** One episode in which only commands are understood. */
function desk(
  replies: readonly ScriptedReply[],
  given: Partial<StrategyOptions> = {},
  classifier?: IntentClassifier,
): Desk {
  const options = { ...OPTIONS, ...given };
  const session = fakeSession({ replies, options, strategy: fastWorkflow });
  const shop: AgentContext = {
    session,
    options,
    catalogue: RETAIL,
    bridge: new Bridge(session, options),
    memory: emptyMemory(),
    ...(classifier === undefined ? {} : { classifier }),
  };
  const turn: Turn = {
    message: 'Hi.',
    query: 'Hi.',
    plannedQuery: 'Hi.\n\nExecute these next steps:\n1. Look.',
    repeats: new Repeats(),
    cycles: [{ thought: 'Look.', tool: { name: 'what_can_i_do', args: new Map() }, observation: 'A lot.' }],
    records: [],
  };
  return { shop, session, say: (command) => understand(shop, turn, command) };
}

const json = (fields: object) => JSON.stringify(fields);
const roles = (session: FakeSession) => session.asked.map(({ role }) => role);
const message = (plan: CommandPlan) => ('message' in plan ? plan.message : '');

const LOOK = 'get_order_details <order_id>#W7</order_id>';

describe('a command in the exact syntax', () => {
  it.each([LOOK, 'GET_ORDER_DETAILS <id>W7</id>', 'list_all_product_types', 'cancel_pending_order', 'abort', ''])(
    '%j costs no model call',
    async (command) => {
      const { session, say } = desk([]);
      await say(command);
      expect(session.asked).toEqual([]);
    },
  );

  it('is counted by the tier that knew it', async () => {
    const { session, say } = desk([]);
    for (const name of ['get_order_details', 'get_order_d', 'get_order_detials']) await say(LOOK.replace(/^\w+/, name));
    await say('Please look up the order details: <order_id>#W7</order_id>');
    expect(Object.fromEntries(session.counts)).toEqual({
      intent_exact: 1,
      intent_prefix: 1,
      intent_fuzzy: 1,
      intent_ranked: 1,
    });
  });

  it('counts parameter errors, and legal values that equal examples', async () => {
    const { session, say } = desk([]);
    expect(await say('cancel_pending_order')).toMatchObject({ kind: 'error' });
    await say('cancel_pending_order <order_id>#W7</order_id> <reason>no longer needed</reason>');
    expect(session.counts.get('parameter_errors')).toBe(1);
    expect(session.counts.get('example_values')).toBe(1);
  });
});

describe('parameters without tags', () => {
  it.each([
    ['get_order_details(#W1000001)', { order_id: '#W1000001' }, 'order_id'],
    ['find_user_id_by_email a@b.co', { email: 'a@b.co' }, 'email'],
    ['Please look up the order #W1', { order_id: '#W1' }, 'order_id'],
  ])('%s are read in one call', async (command, fields, field) => {
    const { session, say } = desk([json(fields)]);
    const plan = await say(command);
    expect(plan).toMatchObject({ kind: 'plan' });
    expect(plan.kind === 'plan' && plan.cmdParameters.get(field)).toBe(Object.values(fields)[0]);
    expect(roles(session)).toEqual(['agent/extraction']);
    expect(session.counts.get('extractions')).toBe(1);
  });

  it('are missing if the reply cannot be parsed, and those in tags are kept', async () => {
    const command = 'find_user_id_by_name_zip <first>Ann</first> <last>Lee</last> <zip>00501</zip>';
    const { session, say } = desk([json({ first_name: null, last_name: 'NOT_FOUND', zip: null })]);
    const plan = await say(command);
    expect(plan).toMatchObject({ kind: 'error' });
    expect(message(plan)).toContain('Missing parameter values: first_name, last_name');
    expect(message(plan)).toContain('Zip: 00501');
    expect(roles(session)).toEqual(['agent/extraction']);
  });
});

describe('an ambiguous command', () => {
  it('is clarified with the metadata of the suggested commands and of no others', async () => {
    const { session, say } = desk([clarifyReply({ command: LOOK })]);
    expect(await say('get details of 1000001')).toMatchObject({
      kind: 'plan',
      commandName: 'get_order_details',
      cmdParameters: new Map([['order_id', '#W7']]),
    });
    const [asked] = session.asked;
    expect(asked?.role).toBe('agent/clarification');
    expect(asked?.thread).toBe('clarify');
    expect(asked?.request.summary).toBe('clarify: get details of 1000001');
    const shown = RETAIL.commands.map(({ name }) => name).filter((name) => userText(asked).includes(`- ${name}: `));
    expect(shown).toEqual(['get_order_details', 'get_product_details', 'get_user_details']);
    expect(userText(asked)).toContain(`${marker('original_command')}\nget details of 1000001`);
    expect(userText(asked)).toContain(`${marker('agent_inputs')}\nuser_query: Hi.\n\nExecute these next steps:`);
    expect(userText(asked)).toContain(`${marker('agent_trajectory')}\n${marker('thought_0')}\nLook.`);
    expect(systemText(asked)).toContain('`needs_human` (true or false)');
    expect(systemText(asked)).not.toContain('cancel_pending_order');
    expect(session.transcript).toContainEqual({ what: 'clarification', text: 'It was meant as get_order_details.' });
  });

  it('is learned: the same words about another order cost no second clarification', async () => {
    const { session, say } = desk([clarifyReply({ command: LOOK }), json({ order_id: '#W8' })]);
    await say('get details of 1000001');
    expect(await say('Get details of 8!')).toMatchObject({
      kind: 'plan',
      cmdParameters: new Map([['order_id', '#W8']]),
    });
    expect(roles(session)).toEqual(['agent/clarification', 'agent/extraction']);
    expect(Object.fromEntries(session.counts)).toEqual({
      clarifications: 1,
      intent_clarified: 1,
      intent_learned: 1,
      extractions: 1,
    });
  });

  it('is learned by its own words, without the command that was written after it', async () => {
    const { session, say } = desk([clarifyReply({ command: LOOK })]);
    await say('get <order_id>#W7</order_id>\ncancel_pending_order <order_id>#W2</order_id>');
    expect(await say('get <order_id>#W8</order_id>')).toMatchObject({
      kind: 'plan',
      commandName: 'get_order_details',
      cmdParameters: new Map([['order_id', '#W8']]),
    });
    expect(roles(session)).toEqual(['agent/clarification']);
    expect(session.counts.get('intent_learned')).toBe(1);
  });

  it.each(['False', 'false', 'no', '"False"', 'NO.'])(
    'needs no human when the clarifier says %s',
    async (needsHuman) => {
      const { say } = desk([clarifyReply({ command: LOOK, needsHuman })]);
      expect(await say('get details of 1')).toMatchObject({
        kind: 'plan',
        cmdParameters: new Map([['order_id', '#W7']]),
      });
    },
  );

  it('is clarified again as JSON if the flag cannot be parsed', async () => {
    const again = json({ clarified_command: null, needs_human: true, clarification_question: 'Which one?' });
    const { session, say } = desk([clarifyReply({ command: LOOK, needsHuman: 'maybe' }), again]);
    expect(message(await say('get details of 1'))).toContain('Use ask_user with this question: Which one?');
    expect(session.asked.map(({ format }) => format)).toEqual(['text', 'json']);
  });

  it('leads to a question to the user if no clarification can be parsed', async () => {
    const { shop, session, say } = desk(['Hm.', 'Hm.']);
    expect(message(await say('get details of 1'))).toContain('Use ask_user to find out what is wanted');
    expect(shop.memory.stage).toEqual({ stage: 'intent_detection' });
    expect(session.counts.get('escalations')).toBe(1);
  });
});

describe('a command that is not understood', () => {
  it('is clarified with all command names', async () => {
    const { session, say } = desk([clarifyReply({ needsHuman: 'true', question: 'What can I do for you?' })]);
    const plan = await say('tell me a joke');
    expect(plan).toMatchObject({ kind: 'clarification', candidates: RETAIL.commands.map(({ name }) => name) });
    expect(message(plan)).toContain('Use ask_user with this question: What can I do for you?');
    for (const { name } of RETAIL.commands) expect(userText(session.asked[0])).toContain(name);
    expect(Object.fromEntries(session.counts)).toEqual({ intent_misunderstood: 1, clarifications: 1, escalations: 1 });
  });

  it('does not affect the next command if the clarifier does not know it', async () => {
    const { shop, session, say } = desk([clarifyReply({ command: 'fly_to_moon <when>now</when>' })]);
    expect(message(await say('tell me a joke'))).toContain('Use ask_user');
    expect(shop.memory.stage).toEqual({ stage: 'intent_detection' });
    expect(shop.memory.learned.size).toBe(0);
    expect(await say(LOOK)).toMatchObject({ kind: 'plan', cmdParameters: new Map([['order_id', '#W7']]) });
    expect(session.asked).toHaveLength(1);
  });

  it('leaves no state behind if a model call fails', async () => {
    const { shop, say } = desk([
      () => {
        throw new AgentError('content_filter', 'no');
      },
    ]);
    await expect(say('tell me a joke')).rejects.toBeInstanceOf(AgentError);
    expect(shop.memory.stage).toEqual({ stage: 'intent_detection' });
  });
});

describe('a model as ranker', () => {
  const llm = { intentRanker: 'llm' as const };
  const ranked = (confidences: object) => json({ reasoning: 'x', command_confidences: confidences });

  it('gets the whole command list for a text without a command', async () => {
    const { session, say } = desk(
      [ranked({ get_order_details: 0.95, calculate: '5' }), json({ order_id: '#W1' })],
      llm,
    );
    expect(await say('where is my stuff, #W1')).toMatchObject({ kind: 'plan', commandName: 'get_order_details' });
    expect(roles(session)).toEqual(['agent/ranker', 'agent/extraction']);
    for (const { name } of RETAIL.commands) expect(userText(session.asked[0])).toContain(`- ${name}: `);
    expect(userText(session.asked[0])).toContain(`${marker('utterance')}\nwhere is my stuff, #W1`);
    expect(session.counts.get('intent_ranked')).toBe(1);
  });

  it('is not called for names', async () => {
    const { session, say } = desk([], llm);
    for (const command of [LOOK, 'get_order <order_id>#W7</order_id>', 'what_can_i_do']) await say(command);
    expect(session.asked).toEqual([]);
  });

  it('is replaced by similarity if its reply cannot be parsed', async () => {
    const { session, say } = desk(['Hm.', 'Hm.', json({ order_id: '#W1' })], llm);
    expect(await say('please look up the order #W1')).toMatchObject({ commandName: 'get_order_details' });
    expect(roles(session)).toEqual(['agent/ranker', 'agent/ranker', 'agent/extraction']);
  });
});

describe('a custom classifier', () => {
  it('replaces similarity', async () => {
    const { session, say } = desk([], {}, () => [{ name: 'list_all_product_types', confidence: 1 }]);
    expect(await say('tell me a joke')).toMatchObject({ kind: 'plan', commandName: 'list_all_product_types' });
    expect(session.counts.get('intent_ranked')).toBe(1);
  });
});

it('two episodes share no memory', async () => {
  const one = desk([clarifyReply({ command: LOOK })]);
  const other = desk([clarifyReply({ command: LOOK })]);
  await one.say('get details of 1');
  expect(other.shop.memory.learned.size).toBe(0);
  await other.say('get details of 1');
  expect(other.session.counts.get('clarifications')).toBe(1);
});

const { commands: COMMANDS } = RETAIL;

describe('a command that is understood', () => {
  it('becomes its name and its parameters', () => {
    expect(plan(RETAIL, 'GET_ORDER_DETAILS <order_id>W1</order_id>')).toEqual({
      kind: 'plan',
      commandName: 'get_order_details',
      cmdParameters: new Map([['order_id', '#W1']]),
    });
    expect(plan(RETAIL, 'list_all_product_types')).toEqual({
      kind: 'plan',
      commandName: 'list_all_product_types',
      cmdParameters: new Map(),
    });
  });

  it('is the first of two on two lines', () => {
    const two = 'get_order_details <order_id>#W1</order_id>\nget_order_details <order_id>#W2</order_id>';
    expect(plan(RETAIL, two)).toMatchObject({ kind: 'plan', cmdParameters: new Map([['order_id', '#W1']]) });
  });

  it('is an error without the parameters that it needs', () => {
    expect(plan(RETAIL, 'get_user_details\nget_order_details <order_id>#W2</order_id>')).toMatchObject({
      kind: 'error',
      commandName: 'get_user_details',
    });
  });
});

describe('a command without all of its parameters', () => {
  it.each([
    ['get_order_details', ['order_id', 'get_user_details']],
    ['get_order_details(#W1000001)', ['order_id', 'get_user_details']],
    ['get_order_details <order_id>#W-1</order_id>', ["order_id '#W-1'"]],
    ['cancel_pending_order', ['order_id', 'reason', 'get_user_details']],
    ['cancel_pending_order <order_id>#W1</order_id>', ["'no longer needed'", "'ordered by mistake'"]],
    ['return_delivered_order_items <order_id>#W1</order_id>', ['item_ids', 'get_order_details']],
    ['transfer_to_human_agents', ['summary']],
  ])('%s is an error that says what is needed', (text, needed) => {
    const result = plan(RETAIL, text);
    expect(result.kind).toBe('error');
    for (const part of needed) expect(result.kind === 'error' && result.message).toContain(part);
  });
});

describe('a command that may be one of several', () => {
  it('gets these as the answer', () => {
    const result = plan(RETAIL, 'get');
    expect(result.kind).toBe('clarification');
    const candidates = result.kind === 'clarification' ? result.candidates : [];
    expect([...candidates].sort()).toEqual(['get_order_details', 'get_product_details', 'get_user_details']);
    for (const name of candidates) expect(result.kind === 'clarification' && result.message).toContain(name);
  });

  it('is decided by a custom classifier', () => {
    const classifier = () => [{ name: 'list_all_product_types', confidence: 1 }];
    expect(plan(RETAIL, 'what do you sell?', { classifier })).toMatchObject({ commandName: 'list_all_product_types' });
  });
});

describe('a text that is not a command', () => {
  it('gets all command names as the answer', () => {
    const result = plan(RETAIL, 'tell me a joke');
    expect(result).toMatchObject({ kind: 'clarification', candidates: COMMANDS.map((command) => command.name) });
    for (const command of COMMANDS) expect(result.kind === 'clarification' && result.message).toContain(command.name);
  });

  it('is handled without the environment if it asks for the commands or is empty', () => {
    expect(plan(RETAIL, 'what_can_i_do')).toMatchObject({ kind: 'handled', answer: { kind: 'catalogue' } });
    expect(plan(RETAIL, '  ')).toMatchObject({ kind: 'handled', answer: { kind: 'text' } });
  });

  it('never makes planning throw', () => {
    const piece = fc.constantFrom('<item_ids>', '</item_ids>', '[', "'", '"', '\\', ',', '1', '(', '\n', ' ', 'a', '#');
    const names = fc.constantFrom(...COMMANDS.map((command) => command.name));
    fc.assert(
      fc.property(names, fc.array(piece, { maxLength: 30 }), (name, pieces) => {
        plan(RETAIL, `${name} ${pieces.join('')}`);
      }),
    );
  });
});
