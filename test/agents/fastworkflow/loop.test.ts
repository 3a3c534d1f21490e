import { describe, expect, it } from 'vitest';
import { catalogueOf, catalogueText } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { TranscriptSender } from '../../../src/evaluation/index.ts';
import { OPTIONS, POLICY } from '../fake-session.ts';
import { answerReply, askReply, commandReply, finishReply, planReply, toolReply, summaryReply } from './replies.ts';
import { CANCEL, LOOK, observation, OPENING, solve, systemText, userText } from './rig.ts';
import type { StrategyOptions } from '../../../src/agents/index.ts';

describe('a conversation of one turn', () => {
  const replies = [planReply(), commandReply(LOOK), commandReply(CANCEL), finishReply(), answerReply()];

  it('makes calls for a plan, each command, finish and the answer, and none after the stop', async () => {
    const { session, end } = await solve({ replies });
    expect(end).toBe('done');
    expect(session.asked.map((asked) => asked.role)).toEqual([
      'agent/planner',
      'agent',
      'agent',
      'agent',
      'agent/extract',
    ]);
    expect(session.steps).toEqual([
      'get_order_details {"order_id": "#W1"}',
      'cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}',
      'respond {"content": "All done."}',
    ]);
  });

  it('shows each command’s observation to the next call', async () => {
    const { session } = await solve({ replies, tool: (action) => `<${action.name}>` });
    expect(userText(session.asked[1])).not.toContain('observation_0');
    expect(userText(session.asked[2])).toContain(
      '[[ ## thought_0 ## ]]\nGo on.\n\n[[ ## tool_name_0 ## ]]\nexecute_workflow_query\n\n' +
        `[[ ## tool_args_0 ## ]]\n{"command": "${LOOK}"}\n\n[[ ## observation_0 ## ]]\n<get_order_details>`,
    );
    expect(observation(session.asked[4], 1)).toContain('<cancel_pending_order>');
    expect(observation(session.asked[4], 2)).toMatch(/^Completed\./);
  });

  it('keeps a trajectory that replays: commands as tool calls, words as messages', async () => {
    const { session } = await solve({ replies, tool: () => 'seen' });
    expect(session.trajectory).toEqual([
      { role: 'system', content: expect.any(String) as string },
      { role: 'user', content: OPENING },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'get_order_details', arguments: '{"order_id": "#W1"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', name: 'get_order_details', content: 'seen' },
      expect.objectContaining({ tool_calls: [expect.objectContaining({ id: 'call_1' })] }),
      { role: 'tool', tool_call_id: 'call_1', name: 'cancel_pending_order', content: 'seen' },
      { role: 'assistant', content: 'All done.' },
      { role: 'user', content: '###STOP###' },
    ]);
  });

  it('gives planner and agent the commands and the policy, and the plan with its line breaks', async () => {
    const { session } = await solve({ replies });
    for (const asked of session.asked) {
      expect(systemText(asked)).toContain(catalogueText(catalogueOf('retail')));
      expect(systemText(asked)).toContain(POLICY);
      expect(userText(asked)).toContain(OPENING);
    }
    const planned = `${OPENING}\n\nExecute these next steps:\n1. Look it up.\n2. Tell the customer.`;
    expect(userText(session.asked[1])).toContain(`[[ ## user_query ## ]]\n${planned}\n`);
  });

  it('gives the agent the query alone if nothing was planned', async () => {
    const { session } = await solve({ replies: [planReply(' '), ...replies.slice(1)] });
    expect(userText(session.asked[1])).toContain(`[[ ## user_query ## ]]\n${OPENING}\n\n[[ ## trajectory ## ]]`);
    expect(session.transcript.map(({ what }) => what)).not.toContain('plan');
  });

  it('ends each prompt with a reminder of the fields in order', async () => {
    const { session } = await solve({ replies });
    expect(userText(session.asked[0])).toMatch(/## reasoning ##.*## next_steps ##.*## completed ##\s*\]\]`\.$/);
    expect(userText(session.asked[1])).toMatch(/next_thought.*next_tool_name.*next_tool_args.*completed/);
    expect(userText(session.asked[4])).toMatch(/reasoning.*final_answer.*completed/);
  });

  it('sends no constant text, and each observation once per thread', async () => {
    const observation = 'x'.repeat(5000);
    const { session } = await solve({ replies, tool: () => observation });
    const sender = new TranscriptSender();
    const sizes = session.asked.map(
      (asked) => JSON.stringify(sender.next(asked.thread, asked.request.messages)).length,
    );
    expect(sizes[0]).toBeLessThan(1000);
    expect(sizes[1]).toBeLessThan(1000);
    expect(sizes[2]).toBeLessThan(6000);
    expect(sizes[3]).toBeLessThan(6000);
    expect(sizes[4]).toBeLessThan(1000);
  });

  it('leaves out the policy if the option is set', async () => {
    const { session } = await solve({ replies, options: { ...OPTIONS, omitPolicy: true } });
    for (const asked of session.asked) expect(systemText(asked)).not.toContain(POLICY);
  });

  it('stops at once after a transfer', async () => {
    const transfer = commandReply('transfer_to_human_agents <summary>Too hard.</summary>');
    const { session, end } = await solve({ replies: [planReply(), transfer] });
    expect(end).toBe('done');
    expect(session.steps).toHaveLength(1);
  });
});

describe('a question to the user', () => {
  it('is a message, whose answer leads to a new plan, which is the observation', async () => {
    const { session, prompts } = await solve({
      replies: [
        planReply(),
        commandReply(LOOK),
        askReply('Really?'),
        planReply('1. Cancel.'),
        commandReply(CANCEL),
        finishReply(),
        answerReply(),
      ],
      userReplies: ['Yes, please.'],
    });
    expect(prompts).toEqual(['plan', 'react', 'react', 'replan', 'react', 'react', 'extract']);
    expect(session.steps[1]).toBe('respond {"content": "Really?"}');
    expect(userText(session.asked[3])).toContain('[[ ## user_response ## ]]\nYes, please.');
    expect(userText(session.asked[4])).toContain(
      '[[ ## observation_1 ## ]]\nUser Query:\nYes, please.\n\nExecute these next steps:\n1. Cancel.',
    );
  });

  it('ends the episode when the user stops, without a new plan', async () => {
    const { end, prompts } = await solve({ replies: [planReply(), askReply('Really?')] });
    expect(end).toBe('done');
    expect(prompts).toEqual(['plan', 'react']);
  });

  it('resets the count of iterations', async () => {
    const looks = (n: number) => Array.from({ length: n }, () => toolReply('what_can_i_do'));
    const { prompts } = await solve({
      replies: [planReply(), ...looks(24), askReply('Really?'), planReply(), ...looks(25), answerReply()],
      userReplies: ['Yes.'],
    });
    expect(prompts.filter((thread) => thread === 'react')).toHaveLength(50);
    expect(prompts.at(-1)).toBe('extract');
  });
});

describe('the limit of steps', () => {
  it.each([1, 2])('ends the episode with step %i, without further calls', async (maxSteps) => {
    const { session, end } = await solve({
      replies: [planReply(), commandReply(LOOK), commandReply(CANCEL)],
      maxSteps,
    });
    expect(end).toBe('max_steps');
    expect(session.steps).toHaveLength(maxSteps);
    expect(session.asked).toHaveLength(maxSteps + 1);
  });

  it('counts an unanswered question as the last step', async () => {
    const { session, end } = await solve({
      replies: [planReply(), askReply('Really?')],
      userReplies: ['Yes.'],
      maxSteps: 1,
    });
    expect(end).toBe('max_steps');
    expect(session.trajectory.at(-1)).toEqual({ role: 'user', content: 'Yes.' });
  });

  it('prevents any call if it is zero', async () => {
    const { session, end } = await solve({ replies: [], maxSteps: 0 });
    expect(end).toBe('max_steps');
    expect(session.asked).toEqual([]);
  });

  it('ends an agent that only talks, because each turn ends with a step', async () => {
    const turn = (i: number) => [planReply(), toolReply('what_can_i_do'), finishReply(), answerReply(`Hm ${i}.`)];
    const { session, end } = await solve({
      replies: Array.from({ length: 30 }, (_, i) => turn(i)).flat(),
      userReplies: Array.from({ length: 30 }, () => 'Go on.'),
    });
    expect(end).toBe('max_steps');
    expect(session.steps).toHaveLength(30);
    expect(session.counts.get('turns')).toBe(30);
  });

  it('ends a model that never chooses a tool, after three choices a turn', async () => {
    const wrong = '{"next_thought": "", "next_tool_name": "search", "next_tool_args": {}}';
    const turn = [planReply(), ...Array.from({ length: 6 }, () => wrong), answerReply()];
    const { session, end } = await solve({
      replies: Array.from({ length: 5 }, () => turn).flat(),
      userReplies: Array.from({ length: 5 }, () => 'Go on.'),
      maxSteps: 5,
    });
    expect(end).toBe('max_steps');
    expect(session.asked).toHaveLength(40);
  });
});

describe('the Act variant', () => {
  const options: StrategyOptions = { ...OPTIONS, useReasoning: false };
  const act = (reply: string) => reply.replace('[[ ## next_thought ## ]]\nGo on.\n\n', '');
  const wrong = '{"next_tool_name": "search", "next_tool_args": {}}';
  const replies = [
    planReply(),
    act(commandReply(LOOK)),
    wrong,
    wrong,
    act(finishReply()),
    answerReply(),
    summaryReply(),
  ];

  it('requests and shows no thought, also after an unknown tool', async () => {
    const { session, end } = await solve({ replies, options });
    expect(end).toBe('done');
    for (const asked of session.asked) expect(JSON.stringify(asked.messages)).not.toContain('thought');
    expect(observation(session.asked[4], 2)).toContain('Choose one of the tools');
  });

  it('leaves the reasoning of planner, answer and summary as it is', async () => {
    const bye = [planReply(), act(finishReply()), answerReply()];
    const { session, prompts } = await solve({ replies: [...replies, ...bye], options, userReplies: ['Thanks.'] });
    const reasoning = session.asked.map((asked) => userText(asked).split('\n').at(-1)?.includes('reasoning'));
    expect(prompts.map((name, i) => [name, reasoning[i]])).toEqual([
      ['plan', true],
      ['react', false],
      ['react', false],
      ['react', false],
      ['react', false],
      ['extract', true],
      ['summary', true],
      ['replan', true],
      ['react', false],
      ['extract', true],
    ]);
  });

  it('ignores a thought that the model writes', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply(LOOK), finishReply(), answerReply()],
      options,
    });
    for (const asked of session.asked) expect(JSON.stringify(asked.messages)).not.toContain('thought');
  });
});

describe('the next turn', () => {
  it('has all 25 iterations again', async () => {
    const looks = Array.from({ length: 25 }, () => toolReply('what_can_i_do'));
    const { prompts } = await solve({
      replies: [planReply(), ...looks, answerReply('Stuck.'), planReply(), ...looks, answerReply()],
      userReplies: ['Try again.'],
    });
    expect(prompts.filter((thread) => thread === 'react')).toHaveLength(50);
  });

  it('is planned from the summary, the user’s first words, and what was done', async () => {
    const { session, prompts } = await solve({
      replies: [
        planReply(),
        commandReply(CANCEL),
        finishReply(),
        answerReply('It is cancelled.'),
        summaryReply(),
        planReply('1. Say good-bye.'),
        finishReply(),
        answerReply('Bye.'),
      ],
      userReplies: ['Thanks!'],
      tool: () => 'seen',
    });
    expect(prompts).toEqual(['plan', 'react', 'react', 'extract', 'summary', 'replan', 'react', 'extract']);
    const summary = userText(session.asked[4]);
    expect(summary).toContain(`[[ ## user_query ## ]]\n${OPENING}`);
    expect(summary).toContain(`command: ${CANCEL}\nresponse: seen\n`);
    expect(summary).toContain('[[ ## final_agent_response ## ]]\nIt is cancelled.');

    const query = `first_user_query: ${OPENING}\nconversation summary: The order was cancelled.\nnew_user_query: Thanks!`;
    const replan = userText(session.asked[5]);
    expect(replan).toContain(`[[ ## user_response ## ]]\n${query}`);
    expect(observation(session.asked[5], 0)).toBe('seen');
    const react = userText(session.asked[6]);
    expect(react).toContain(
      `[[ ## user_query ## ]]\nUser Query:\n${query}\n\nExecute these next steps:\n1. Say good-bye.`,
    );
    expect(react).not.toContain('observation_0');
    expect(react).not.toContain('cancel_pending_order');
  });

  it('has the answer of a turn without commands, and makes no call for a summary', async () => {
    const { session, prompts } = await solve({
      replies: [planReply(), finishReply(), answerReply('Which order?'), planReply(), finishReply(), answerReply()],
      userReplies: ['#W1'],
    });
    expect(prompts).not.toContain('summary');
    expect(userText(session.asked[4])).toContain(
      `user_query: ${OPENING}\nagent_answer: Which order?\nnew_user_query: #W1`,
    );
  });

  it('keeps the last five entries and the first message', async () => {
    const turn = (answer: string) => [planReply(), finishReply(), answerReply(answer)];
    const answers = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    const { session } = await solve({
      replies: answers.flatMap(turn),
      userReplies: ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'],
    });
    const last = userText(session.asked.at(-1));
    expect(last).toContain(`first_user_query: ${OPENING}\nuser_query: u1\nagent_answer: a1\n`);
    expect(last).not.toContain('a0');
    expect(last).toContain('new_user_query: u6');
  });
});
