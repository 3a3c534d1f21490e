import { describe, expect, it } from 'vitest';
import { FIRST_AGENT_MESSAGE } from '../../src/benchmarks/tau3/testing.ts';
import { RESPOND } from '../../src/benchmarks/index.ts';
import { CANCEL, dict, LOOK_UP, newResponder, play, task, tinyPack, TRANSFER, RETURN, userSystem } from './helpers.ts';
import {
  ANSWER_FIELDS,
  conversationLines,
  judgePrompt,
  readJudgeAnswer,
  type QuestionName,
} from '../../src/analysis/index.ts';
import type { JudgedLine } from '../../src/analysis/testing.ts';
import { openingLine, RequestProblem } from '../../src/scripted-model/testing.ts';
import { formatPackKey } from '../../src/benchmarks/testing.ts';
import { readReplyFields } from '../../src/models/prompts/index.ts';
import { episodeSeed } from '../../src/evaluation/index.ts';

const PAY = { name: 'pay', kwargs: dict({ order_id: '#W1', amount: 131, note: 'é' }) };
const pack = tinyPack([
  task('Cancel my order.', [LOOK_UP, CANCEL]),
  task('How much is it?', [LOOK_UP], ['54.04', 'Blue']),
  task('Get me a person.', [TRANSFER, LOOK_UP]),
  task('Tell me, then get me a person.', [LOOK_UP, TRANSFER], ['54.04']),
  task('Pay.', [PAY]),
  task('Talk.', [{ name: RESPOND, kwargs: dict({ content: 'hm' }) }]),
]);
const responder = newResponder(pack);

interface Said {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: unknown;
}

/** The first `count` answers of the agent of a task; tools answer `seen`, the customer `Go on.` */
function answers(taskId: number, count: number, extra: Record<string, unknown>, system = 'Policy'): string[] {
  const messages: Said[] = [
    { role: 'system', content: system },
    { role: 'user', content: `Hi. [case shop-3fa91c/test/${taskId} s1]` },
  ];
  return Array.from({ length: count }, () => {
    const { content, toolCall } = play(responder, { model: 'oracle', messages, ...extra });
    messages.push({
      role: 'assistant',
      content,
      ...(toolCall ? { tool_calls: [{ id: 'x', type: 'function', function: toolCall }] } : {}),
    });
    messages.push(toolCall ? { role: 'tool', content: 'seen' } : { role: 'user', content: 'Go on.' });
    return toolCall ? `${toolCall.name} ${toolCall.arguments}` : (content ?? '');
  });
}

const withTools = { tools: [{ type: 'function', function: { name: 'pay' } }] };

describe('the scripted agent with a tool API', () => {
  it("plays the task's actions in order, one a call, then answers, then says goodbye", () => {
    expect(answers(0, 4, withTools)).toEqual([
      'get_order_details {"order_id": "#W1"}',
      'cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}',
      expect.stringContaining('Your request is complete.'),
      expect.stringContaining('Goodbye.'),
    ]);
  });

  it('gives every output to the letter in its answer', () => {
    const [, answer] = answers(1, 2, withTools);
    expect(answer).toContain('54.04');
    expect(answer).toContain('Blue');
  });

  it('plays the tool that ends the episode last', () => {
    expect(answers(2, 2, withTools).map((text) => text.split(' ')[0])).toEqual([
      'get_order_details',
      'transfer_to_human_agents',
    ]);
  });

  it('gives the outputs before the tool that ends the episode', () => {
    const [, told, transfer] = answers(3, 3, withTools);
    expect(told).toContain('54.04');
    expect(told).not.toContain('Your request is complete.');
    expect(transfer).toMatch(/^transfer_to_human_agents/);
  });

  it("writes arguments in Python's spelling, numbers as they are in the pack", () => {
    expect(answers(4, 1, withTools)).toEqual(['pay {"order_id": "#W1", "amount": 131.0, "note": "\\u00e9"}']);
  });

  it('leaves out what the ground truth says to the user', () => {
    expect(answers(5, 1, withTools)).toEqual([expect.stringContaining('Your request is complete.')]);
  });

  it('refuses a conversation that the scripted user has not opened', () => {
    const messages = [{ role: 'user', content: 'Hi, I am a person.' }];
    expect(() => play(responder, { model: 'oracle', messages, ...withTools })).toThrow(/no \[case …\] was found/);
  });

  it.each(['[case shop-3fa91c/test/99 s1]', '[case shop-3fa91c/dev/0 s1]', '[case airline-123456/test/0 s1]'])(
    'refuses a task that is not loaded: %s',
    (code) => {
      const messages = [{ role: 'user', content: `Hi. ${code}` }];
      expect(() => play(responder, { model: 'oracle', messages, ...withTools })).toThrow(/not among the tasks/);
    },
  );

  it.each(['oracle:1.5', 'oracle:', 'oracle:high', 'oracle:-1', 'oracle:1e-1'])(
    'does not know the model %s',
    (model) => {
      const messages = [{ role: 'user', content: 'Hi. [case shop-3fa91c/test/0 s1]' }];
      expect(() => play(responder, { model, messages, ...withTools })).toThrow(/success rate from 0 to 1/);
    },
  );

  it.each(['oracle', 'openai/oracle', 'oracle:1', 'gpt-4o'])('plays perfectly under the name %s', (model) => {
    const messages = [{ role: 'user', content: 'Hi. [case shop-3fa91c/test/0 s1]' }];
    expect(play(responder, { model, messages, ...withTools }).toolCall?.name).toBe('get_order_details');
  });
});

const ACT = 'Policy\n#Available tools\n[]\n# Instruction\nAction:\n{"name": <name>, "arguments": <json>}\n';
const REACT = ACT.replace('Action:', 'Thought:\n<one line>\nAction:');

describe('the scripted agent without a tool API', () => {
  it('writes each action as JSON', () => {
    expect(answers(0, 3, {}, ACT)).toEqual([
      'Action:\n{"name": "get_order_details", "arguments": {"order_id": "#W1"}}',
      'Action:\n{"name": "cancel_pending_order", "arguments": {"order_id": "#W1", "reason": "no longer needed"}}',
      expect.stringMatching(/^Action:\n\{"name": "respond", "arguments": \{"content": ".*complete\."\}\}$/),
    ]);
  });

  it('does not take τ³-bench’s first message of the agent for a move', () => {
    const messages = [
      { role: 'system', content: ACT },
      { role: 'assistant', content: FIRST_AGENT_MESSAGE },
      { role: 'user', content: 'Hi. [case shop-3fa91c/test/0 s1]' },
    ];
    expect(play(responder, { model: 'oracle', messages }).content).toContain('get_order_details');
  });

  it('thinks first where a thought is asked for', () => {
    expect(answers(0, 1, {}, REACT)[0]).toMatch(/^Thought:\n.+\nAction:\n\{"name": "get_order_details"/);
  });
});

const judgePack = tinyPack([
  task('Cancel and return.', [LOOK_UP, CANCEL, RETURN]),
  task('Tell me.', [LOOK_UP], ['42']),
]);
const judging = newResponder(judgePack);

/** The judge's answer on an episode that the scripted agent has played at a rate of 0. */
function askJudge(question: QuestionName, taskId: number, seed: number, model = 'oracle:0') {
  const code = { packKey: formatPackKey(judgePack), split: 'test', taskId, seed };
  const lines: JudgedLine[] = [
    ...conversationLines([{ role: 'user', content: openingLine(code) }]),
    ...judging.script(code, 0).moves.map((move) => ({
      speaker: 'Agent',
      text: move.kind === 'say' ? move.text : move.action.name,
    })),
  ];
  const { instruction, actions, outputs } = judgePack.splits['test']?.[taskId] ?? task('', []);
  const { system, user } = judgePrompt(question, { instruction, actions, outputs, lines, calls: [], ending: '' }, 1);
  const reply = play(judging, {
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
  });
  const answer = readJudgeAnswer(question, readReplyFields(reply.content, ANSWER_FIELDS), lines);
  return { reply, answer, flaw: judging.findFlaw(code, 0) };
}

describe('the scripted judge', () => {
  it('knows the mistake that was made, and quotes where', () => {
    const types = new Map<string, string>();
    for (let seed = 0; seed < 40; seed++) {
      for (const taskId of [0, 1]) {
        const { answer, flaw, reply } = askJudge('fault', taskId, seed);
        if (flaw === null || answer === null) throw new Error('every episode errs at a rate of 0');
        expect(reply).toMatchObject({ role: 'judge', episode: expect.stringContaining(`s${seed}]`) as string });
        expect(answer.description).toContain(flaw.detail);
        expect(answer).toMatchObject({ unfoundQuotes: 0, quotes: [expect.any(String)] });
        types.set(flaw.kind, answer.choice);
        expect(askJudge('author', taskId, seed).answer?.choice).toBe('agent');
      }
    }
    expect(Object.fromEntries(types)).toMatchObject({
      skipped_write: 'goal_partially_completed',
      wrong_argument: 'used_wrong_tool_argument',
      wrong_tool: 'called_wrong_tool',
      malformed_arguments: 'other',
    });
  });

  it('of a model that never errs blames nobody in the conversation', () => {
    expect(askJudge('author', 0, 0, 'oracle').answer).toMatchObject({ choice: 'environment', quotes: [] });
    expect(askJudge('fault', 0, 0, 'oracle').answer?.choice).toBe('other');
  });
});

const long = 'You are Ann. You want order #W1 cancelled, and then a coffee.';
const short = 'You are Ann. You want order #W1 cancelled';
const userPack = tinyPack([task(long, [CANCEL]), task(short, [CANCEL]), task(long, [CANCEL])]);
const users = newResponder(userPack);
const greeting = { role: 'user', content: userPack.userPrompts.greeting };

function askUser(system: string, turns: readonly string[] = [], extra: Record<string, unknown> = {}) {
  const messages = turns.map((content, i) => ({ role: i % 2 === 0 ? 'assistant' : 'user', content }));
  return play(users, {
    model: 'oracle',
    messages: [{ role: 'system', content: system }, greeting, ...messages],
    ...extra,
  });
}

describe('the scripted user', () => {
  it('opens with a line that names pack, split, task and seed', () => {
    const reply = askUser(userSystem(userPack, short), [], { seed: 7 });
    expect(reply).toMatchObject({ role: 'user', episode: '[case shop-3fa91c/test/1 s7]' });
    expect(reply.content).toMatch(/^[A-Z][^[]+[.?] \[case shop-3fa91c\/test\/1 s7\]$/);
  });

  it("opens the task of τ³-bench that the episode's seed names, among those of one instruction", () => {
    const alike = [[LOOK_UP], [CANCEL]].map((actions) => ({ ...task('Do it.', actions), content: dict({}) }));
    const shop = tinyPack(alike);
    const messages = [{ role: 'system', content: userSystem(shop, 'Do it.') }, greeting];
    const opening = (taskId: number) =>
      play(newResponder(shop), { model: 'oracle', messages, seed: episodeSeed(10, { taskId, trial: 2 }) }).content;
    for (const taskId of [0, 1]) expect(opening(taskId)).toContain(`[case ${formatPackKey(shop)}/test/${taskId} `);
  });

  it('gives the same opening to the same request', () => {
    expect(askUser(userSystem(userPack, short), [], { seed: 7 })).toEqual(
      askUser(userSystem(userPack, short), [], { seed: 7 }),
    );
  });

  it('counts the trials of a task when the request brings no seed', () => {
    const fresh = newResponder(userPack);
    const messages = [{ role: 'system', content: userSystem(userPack, long) }, greeting];
    const episodes = [1, 2, 3].map(() => play(fresh, { model: 'oracle', messages }).episode);
    expect(episodes).toEqual([0, 1, 2].map((seed) => `[case shop-3fa91c/test/0 s${seed}]`));
  });

  it('distinguishes an instruction from a longer one that contains it', () => {
    expect(askUser(userSystem(userPack, long), [], { seed: 1 }).episode).toBe('[case shop-3fa91c/test/0 s1]');
  });

  it('finds the instruction in a template of another make', () => {
    const system = `Play this person, please.\n<story>${long}</story>`;
    expect(askUser(system, [], { seed: 1 }).episode).toBe('[case shop-3fa91c/test/0 s1]');
  });

  it('consents to what the agent asks', () => {
    const opening = askUser(userSystem(userPack, short), [], { seed: 7 }).content ?? '';
    const reply = askUser(userSystem(userPack, short), [opening, 'I will cancel #W1. Do you confirm (yes/no)?']);
    expect(reply.content).toBe('Yes, please go ahead.');
    expect(reply.episode).toBe('[case shop-3fa91c/test/1 s7]');
  });

  it.each([
    'Everything has been taken care of. Your request is complete.',
    'Done. Is there anything else I can help you with?',
    'Goodbye!',
  ])('stops, with nothing but the marker, when the agent has announced the end: %s', (said) => {
    expect(askUser(userSystem(userPack, short), ['Hi. [case shop-3fa91c/test/1 s7]', said]).content).toBe('###STOP###');
  });

  it('greets when it is asked without an instruction', () => {
    const { systemPromptWithoutInstruction: system = '' } = userPack.userPrompts.strategies['llm'] ?? {};
    expect(askUser(system)).toMatchObject({
      role: 'user',
      episode: null,
      content: expect.stringMatching(/^Hello/) as string,
    });
  });

  it('refuses, naming its packs, an instruction of a task that it has not loaded', () => {
    expect(() => askUser(userSystem(userPack, 'You are nobody.'))).toThrow(RequestProblem);
    expect(() => askUser(userSystem(userPack, 'You are nobody.'))).toThrow(/shop-3fa91c/);
  });

  it('labels thought and response for the react simulator', () => {
    const system = userSystem(userPack, short, 'react');
    expect(askUser(system, [], { seed: 3 }).content).toMatch(
      /^Thought:\n.+\n\nUser Response:\n.+ \[case shop-3fa91c\/test\/1 s3\]$/,
    );
    expect(askUser(system, ['Hi. [case shop-3fa91c/test/1 s3]', 'Goodbye.']).content).toContain('###STOP###');
  });

  it('takes the content parts and the silence that the protocol allows', () => {
    const messages = [
      { role: 'system', content: [{ type: 'text', text: userSystem(userPack, short) }] },
      greeting,
      { role: 'assistant', content: 'Hi. [case shop-3fa91c/test/1 s7]' },
      { role: 'user', content: null },
    ];
    expect(play(users, { model: 'oracle', messages }).content).toBe('Yes, please go ahead.');
  });
});

describe('the scripted supervisor', () => {
  const transcript = 'Agent: Hi. [case shop-3fa91c/test/1 s7]\nCustomer: How can I help?';
  const judge = (prompt: string) => play(users, { model: 'oracle', messages: [{ role: 'user', content: prompt }] });

  it('finds every reply satisfactory', () => {
    const prompt = `Judge the Response: true or false.\n# Transcript:\n${transcript}\n\n-----\n\nClassification:`;
    expect(judge(prompt)).toMatchObject({
      role: 'user/verify',
      content: 'true',
      episode: '[case shop-3fa91c/test/1 s7]',
    });
  });

  it('answers a request for a reflection in its two sections', () => {
    const prompt = `${transcript}\n# Format:\n\nReflection:\n<the reflection>\n\nResponse:\n<the response>`;
    expect(judge(prompt).content).toMatch(/^Reflection:\n.+\n\nResponse:\n.+$/);
  });
});

describe('a request of no known role', () => {
  it('is answered, so that reachability can be checked', () => {
    expect(play(users, { model: 'oracle', messages: [{ role: 'user', content: 'ping' }] }).role).toBe('other');
  });
});
