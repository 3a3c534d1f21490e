import { describe, expect, it } from 'vitest';
import { fastWorkflow } from '../../src/agents/fastworkflow/index.ts';
import {
  promptMessages,
  trajectoryParts,
  parseReply,
  signaturesFor,
  type PromptInputs,
  type ReplyForm,
  type SignatureName,
  type Cycle,
} from '../../src/agents/fastworkflow/testing.ts';
import { dumpJson } from '../../src/benchmarks/python/index.ts';
import { expandMessages } from '../../src/models/prompts/index.ts';
import { asRetail, askResponder, playEpisode } from './episodes.ts';
import { CANCEL, dict, isRewarded, LOOK_UP, newResponder, OPTIONS, play, task, tinyPack, TRANSFER } from './helpers.ts';
import {
  followProgress,
  noteMove,
  readCycles,
  type PromptAttempt,
  type SeenCycle,
} from '../../src/scripted-model/testing.ts';

const EXCHANGE = {
  name: 'exchange_delivered_order_items',
  kwargs: dict({ order_id: '#W2', item_ids: ['11', '12'], new_item_ids: ['13', '14'], payment_method_id: 'paypal_1' }),
};
const MOVE = {
  name: 'modify_pending_order_address',
  kwargs: dict({
    order_id: '#W1',
    address1: '1 Elm St',
    address2: '',
    city: 'Austin',
    state: 'TX',
    country: 'USA',
    zip: '78701',
  }),
};
const THINK = { name: 'think', kwargs: dict({ thought: 'hm' }) };
const pack = tinyPack([
  task('Cancel my order.', [LOOK_UP, THINK, CANCEL]),
  task('Exchange two items.', [EXCHANGE], ['54.04']),
  task('Tell me, then get me a person.', [LOOK_UP, TRANSFER], ['54.04']),
  task('Move it.', [MOVE]),
  task('Just talk.', []),
]);
const responder = newResponder(pack);
const query = (taskId: number) => `Hi. [case shop-3fa91c/test/${taskId} s1]`;

function ask(name: SignatureName, inputs: PromptInputs, form: ReplyForm = 'chat') {
  const signature = signaturesFor(OPTIONS)[name];
  const context = { pack, split: 'test', taskId: 0, strategy: asRetail(fastWorkflow), options: OPTIONS, seed: 1 };
  const messages = expandMessages(promptMessages(signature, inputs, OPTIONS, form), context);
  const json = form === 'json' ? { response_format: { type: 'json_object' } } : {};
  const reply = play(responder, { model: 'oracle', messages, ...json });
  const read = parseReply(reply.content, signature.outputs);
  if (read.kind !== 'fields') throw new Error(`the reply cannot be read: ${JSON.stringify(read)}`);
  return { role: reply.role, content: reply.content, ...read.fields };
}

function react(taskId: number, cycles: readonly Cycle[], form: ReplyForm = 'chat') {
  const { texts, objects } = ask(
    'react',
    [
      ['user_query', query(taskId)],
      ['trajectory', trajectoryParts(cycles)],
    ],
    form,
  );
  const args = objects.get('next_tool_args') ?? new Map<string, never>();
  return `${texts.get('next_tool_name') ?? ''}: ${[...args.values()].map(String).join()}`;
}

const did = (name: string, observation = 'ok'): Cycle => ({
  thought: 't',
  tool: { name, args: new Map() },
  observation,
});
const ran = did('execute_workflow_query');

describe("the scripted model's FastWorkflow roles", () => {
  it('plans the steps that are left', () => {
    const { role, texts } = ask('plan', [['user_query', query(0)]]);
    expect(role).toBe('agent/planner');
    expect(texts.get('next_steps')).toBe(
      '1. Run get_order_details.\n2. Run cancel_pending_order.\n3. Tell the customer.',
    );
  });

  it('plans anew from the trajectory', () => {
    const { texts } = ask('replan', [
      ['agent_inputs', `user_query: ${query(0)}`],
      ['agent_trajectory', trajectoryParts([ran, { thought: 't', tool: { name: 'ask_user', args: new Map() } }])],
      ['user_response', 'Yes.'],
    ]);
    expect(texts.get('next_steps')).toBe('1. Tell the customer.');
  });

  it.each(['chat', 'json'] as const)('names one command after the other, then finishes (%s form)', (form) => {
    expect(
      [0, 1, 2].map((count) =>
        react(
          0,
          Array.from({ length: count }, () => ran),
          form,
        ),
      ),
    ).toEqual([
      'execute_workflow_query: get_order_details <order_id>#W1</order_id>',
      'execute_workflow_query: cancel_pending_order <order_id>#W1</order_id> <reason>no longer needed</reason>',
      'finish: ',
    ]);
  });

  it('writes lists as JSON arrays and empty values as empty tags', () => {
    expect(react(1, [])).toContain('<item_ids>["11", "12"]</item_ids> <new_item_ids>["13", "14"]</new_item_ids>');
    expect(react(3, [])).toContain('<address2></address2>');
  });

  it('does not take help texts and failed choices for commands that ran', () => {
    const lost: Cycle[] = [{ observation: 'no valid tool' }, { thought: 'again', observation: 'choose one' }];
    expect(react(0, [did('what_can_i_do'), ...lost, ran])).toContain('cancel_pending_order');
  });

  it('asks the user where an output must be given before a tool that ends the episode', () => {
    expect(react(2, [ran])).toMatch(/^ask_user: .*54\.04.*\?$/);
    expect(react(2, [ran, did('ask_user', 'Yes.')])).toMatch(/^execute_workflow_query: transfer_to_human_agents/);
  });

  it('answers with the outputs', () => {
    const { role, texts } = ask('extract', [
      ['user_query', query(1)],
      ['trajectory', trajectoryParts([ran])],
    ]);
    expect(role).toBe('agent/extract');
    expect(texts.get('final_answer')).toMatch(/54\.04.* Your request is complete\.$/);
  });

  it('sums a turn up, and has nothing more to do in later ones', () => {
    const { role, texts } = ask('summary', [
      ['user_query', query(0)],
      ['workflow_actions', 'command: cancel_pending_order'],
      ['final_agent_response', 'Done.'],
    ]);
    expect(role).toBe('agent/summary');
    const later = `${query(0)}\nconversation summary: ${texts.get('conversation_summary') ?? ''}\nnew_user_query: Thanks.`;
    const step = ask('react', [
      ['user_query', later],
      ['trajectory', []],
    ]);
    expect(step.texts.get('next_tool_name')).toBe('finish');
    const answer = ask('extract', [
      ['user_query', later],
      ['trajectory', trajectoryParts([did('finish')])],
    ]);
    expect(answer.texts.get('final_answer')).toContain('Goodbye');
  });

  it('clarifies a command with the exact one of its move', () => {
    const thinking: Cycle = {
      thought: 'Next comes cancel_pending_order (move 2).',
      tool: { name: 'execute_workflow_query', args: new Map([['command', 'Do the thing.']]) },
    };
    const { role, texts } = ask('clarify', [
      ['original_command', 'Do the thing.'],
      ['error_message', 'No command is understood.'],
      ['agent_inputs', `user_query: ${query(0)}`],
      ['agent_trajectory', trajectoryParts([ran, thinking])],
    ]);
    expect(role).toBe('agent/clarification');
    expect(texts.get('clarified_command')).toBe(
      'cancel_pending_order <order_id>#W1</order_id> <reason>no longer needed</reason>',
    );
    expect(texts.get('needs_human')).toBe('false');
  });

  it('ranks commands for words, whatever the episode', () => {
    const { role, objects } = ask('rank', [
      ['commands', '- get_order_details: shows it\n  parameters:\n    order_id\n\n- cancel_pending_order: ends it'],
      ['utterance', 'Please look up the order details.'],
    ]);
    expect(role).toBe('agent/ranker');
    expect(dumpJson(objects.get('command_confidences') ?? null)).toBe(
      '{"get_order_details": 1, "cancel_pending_order": 0.33}',
    );
  });

  it('reads parameters from the statement alone', () => {
    const messages = [
      {
        role: 'user',
        content:
          '[[ ## statement ## ]]\nwhere order_id is "#W9", item_ids is ["1", "2"]\n\n' +
          'Answer with one JSON object: `reasoning` (text), `order_id` (text), `item_ids` (list), `reason` (text).',
      },
    ];
    const reply = play(responder, { model: 'oracle+natural', messages, response_format: { type: 'json_object' } });
    expect(reply).toMatchObject({ role: 'agent/extraction', episode: null });
    expect(JSON.parse(reply.content ?? '')).toEqual({
      reasoning: 'The words say so.',
      order_id: '#W9',
      item_ids: ['1', '2'],
      reason: 'NOT_FOUND',
    });
  });

  it('says NOT_FOUND for parameters that it is asked to extract', () => {
    const messages = [
      {
        role: 'user',
        content: `[[ ## statement ## ]]\n${query(0)}\n\nAnswer with one JSON object: \`order_id\`, \`reason\`.`,
      },
    ];
    const { content } = play(responder, { model: 'oracle', messages, response_format: { type: 'json_object' } });
    expect(content).toBe('{"order_id": "NOT_FOUND", "reason": "NOT_FOUND"}');
  });
});

describe('a whole FastWorkflow episode', () => {
  it.each([
    [0, ['get_order_details', 'cancel_pending_order', 'respond'], 7],
    [1, ['exchange_delivered_order_items', 'respond'], 6],
    [2, ['get_order_details', 'respond', 'transfer_to_human_agents'], 7],
    [3, ['modify_pending_order_address', 'respond'], 6],
    [4, ['respond'], 5],
  ])('solves task %i with no call too many', async (taskId, names, calls) => {
    const plan = { pack, split: 'test', taskId, seed: 1, strategy: fastWorkflow, ask: askResponder(responder) };
    const played = await playEpisode(plan);
    expect(played.actions.map(({ name }) => name)).toEqual(names);
    expect(played.calls).toBe(calls);
    expect(played.end).toBe('done');
    expect(isRewarded(plan, played)).toBe(true);
  });
});

const FAILED =
  "User Query:\nPARAMETER EXTRACTION ERROR FOR COMMAND 'x'\ncommand aborted\n\nExecute these next steps:\n1. y";
const ESCALATED = 'This could not be understood; put it to the customer with ask_user: Which?';
const OK = 'ok';

function cycle(
  index: number,
  position: number,
  attempt: PromptAttempt,
  observation: string | undefined = OK,
): SeenCycle {
  const tool = attempt === 'ask' ? 'ask_user' : 'execute_workflow_query';
  return { index, thought: noteMove('Next', { position, attempt }), tool, observation };
}
const follow = (cycles: SeenCycle[], isRepeated = true, atWork = false) =>
  followProgress(cycles, () => isRepeated, atWork);
const silent = (cycles: SeenCycle[]) => cycles.map((seen) => ({ ...seen, thought: '' }));

describe('where an agent is in its script', () => {
  it('is after the last move that ran', () => {
    const cycles = [cycle(0, 0, 'first'), cycle(1, 1, 'first')];
    expect(follow(cycles)).toEqual({ position: 2, attempt: 'first' });
    expect(follow([])).toEqual({ position: 0, attempt: 'first' });
  });

  it('follows the last thought, whatever was dropped before', () => {
    expect(follow([cycle(9, 5, 'first')])).toEqual({ position: 6, attempt: 'first' });
  });

  it('is at a command that was not understood until it was repeated', () => {
    const failed = [cycle(0, 0, 'first'), cycle(1, 1, 'first', FAILED)];
    expect(follow(failed)).toEqual({ position: 1, attempt: 'again' });
    expect(follow([...failed, cycle(2, 1, 'again')])).toEqual({ position: 2, attempt: 'first' });
    expect(follow([...failed, cycle(2, 1, 'again', FAILED)])).toEqual({ position: 2, attempt: 'first' });
  });

  it('gives a command up that would be written the same again', () => {
    expect(follow([cycle(0, 0, 'first', FAILED)], false)).toEqual({ position: 1, attempt: 'first' });
  });

  it('asks the user where the agent has to', () => {
    const escalated = [cycle(0, 0, 'first', ESCALATED)];
    expect(follow(escalated)).toEqual({ position: 0, attempt: 'ask' });
    expect(follow([...escalated, cycle(1, 0, 'ask', FAILED)])).toEqual({ position: 0, attempt: 'again' });
  });

  it('is at the command that is being understood, and behind one that is just given up', () => {
    const working = [cycle(0, 0, 'first'), { ...cycle(1, 1, 'first'), observation: undefined }];
    expect(follow(working, false, true)).toEqual({ position: 1, attempt: 'first' });
    expect(follow(working, false)).toEqual({ position: 2, attempt: 'first' });
    expect(follow(working)).toEqual({ position: 1, attempt: 'again' });
  });

  it('is followed step by step where the agent does not think', () => {
    const steps = [
      cycle(0, 0, 'first'),
      { ...cycle(1, 0, 'first'), tool: 'what_can_i_do' },
      cycle(2, 1, 'first', ESCALATED),
      cycle(3, 1, 'ask', FAILED),
      cycle(4, 1, 'again'),
    ];
    expect(follow(silent(steps))).toEqual({ position: 2, attempt: 'first' });
    expect(follow(silent([cycle(4, 0, 'first')]))).toEqual({ position: 5, attempt: 'first' });
  });
});

describe('reading a trajectory', () => {
  it('takes the fields apart, in their order, and leaves other fields out', () => {
    const text = [
      '[[ ## trajectory ## ]]',
      '[[ ## thought_3 ## ]]\nNext (move 2).',
      '[[ ## tool_name_3 ## ]]\nexecute_workflow_query',
      '[[ ## tool_args_3 ## ]]\n{"command": "x"}',
      '[[ ## observation_3 ## ]]\nline 1\n\nline 2',
      '[[ ## tool_name_4 ## ]]\n"finish"',
      'Answer with `[[ ## next_tool_name ## ]]`.',
    ].join('\n\n');
    expect(readCycles(text)).toEqual([
      { index: 3, thought: 'Next (move 2).', tool: 'execute_workflow_query', observation: 'line 1\n\nline 2' },
      { index: 4, thought: '', tool: 'finish', observation: undefined },
    ]);
  });
});
