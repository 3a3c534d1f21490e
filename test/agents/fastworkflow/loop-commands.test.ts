import { describe, expect, it } from 'vitest';
import { OPTIONS } from '../fake-session.ts';
import { answerReply, clarifyReply, commandReply, finishReply, planReply, toolReply, askReply } from './replies.ts';
import { CANCEL, LOOK, observation, OPENING, solve, userText, systemText } from './rig.ts';
import { catalogueOf, catalogueText } from '../../../src/agents/fastworkflow/catalogue/index.ts';

describe('a call of several commands', () => {
  const rest = [finishReply(), answerReply()];
  const note = 'One call carries out one command, the first. Not carried out: cancel_pending_order.';

  it.each([
    `${LOOK}\n${CANCEL}`,
    `1. ${LOOK}\n2. ${CANCEL}`,
    `Both:\n- \`${LOOK}\`\n- \`${CANCEL}\``,
    `<command>${LOOK}</command>\n<command>${CANCEL}</command>`,
    '[{"name": "get_order_details", "arguments": {"order_id": "#W1"}}, {"name": "get_order_details", "arguments": {"order_id": "#W2"}}]',
    `${LOOK}\n${LOOK}`,
    `${LOOK}\nabort`,
    `${LOOK}\n/what_can_i_do`,
  ])('executes none, and shows the agent which to begin with: %s', async (text) => {
    const { session } = await solve({ replies: [planReply(), commandReply(text), ...rest] });
    expect(session.steps.slice(0, -1)).toEqual([]);
    expect(observation(session.asked[2], 0)).toContain(
      'The text has 2 commands, so nothing ran: one call takes one command. Begin with get_order_details alone.',
    );
    expect(session.counts.get('several_commands')).toBe(1);
  });

  it('is not detected if a parameter has a line that is a name', async () => {
    const text = 'transfer_to_human_agents <summary>Asked for\nabort\ncancel_pending_order</summary>';
    const { session } = await solve({ replies: [planReply(), commandReply(text)] });
    expect(session.counts.get('several_commands')).toBeUndefined();
  });

  it('is not detected if a sentence only mentions a second one', async () => {
    const text = `${LOOK} and then cancel_pending_order`;
    const { session } = await solve({ replies: [planReply(), commandReply(text), ...rest] });
    expect(session.steps.slice(0, -1)).toEqual(['get_order_details {"order_id": "#W1"}']);
    expect(observation(session.asked[2], 0)).toContain(note);
  });
});

describe('a command that repeats its own result', () => {
  const end = [finishReply(), answerReply()];
  const other = LOOK.replace('#W1', '#W2');

  it('is refused for the next step only', async () => {
    const texts = [LOOK, `  ${LOOK.replace(' ', '  ')}\n`, other, other];
    const { session } = await solve({ replies: [planReply(), ...texts.map(commandReply), ...end] });
    expect(session.steps.slice(0, -1)).toEqual([
      'get_order_details {"order_id": "#W1"}',
      'get_order_details {"order_id": "#W1"}',
      'get_order_details {"order_id": "#W2"}',
    ]);
    expect(observation(session.asked[4], 2)).toContain(
      'get_order_details has just returned the same result again, so nothing ran and this step takes another command. ' +
        'Use that result, or do something else.',
    );
    expect(session.counts.get('repeated_commands')).toBe(1);
  });

  it('does not affect others, and is allowed again after a question', async () => {
    const replies = [planReply(), commandReply(LOOK), commandReply(LOOK), askReply('Sure?'), planReply()];
    const { session } = await solve({
      replies: [...replies, commandReply(LOOK), commandReply(CANCEL), ...end],
      userReplies: ['Yes.'],
    });
    expect(session.steps.filter((step) => step.startsWith('get_order_details'))).toHaveLength(3);
    expect(session.steps.filter((step) => step.startsWith('cancel_pending_order'))).toHaveLength(1);
  });

  it('may return another result', async () => {
    let reads = 0;
    const { session } = await solve({
      replies: [planReply(), ...[LOOK, LOOK, LOOK].map(commandReply), ...end],
      tool: () => `read ${String(++reads)} times`,
    });
    expect(session.steps.slice(0, -1)).toHaveLength(3);
  });
});

describe('observations of a long turn', () => {
  const looks = Array.from({ length: 8 }, (_, at) => commandReply(LOOK.replace('#W1', `#W${String(at)}`)));
  const long = `{"order": "${'x'.repeat(3_000)}"}`;
  it('give way to a line each, the oldest first, until the turn is short enough, and are whole for the answer', async () => {
    const replies = [planReply(), ...looks, finishReply(), answerReply()];
    const { session } = await solve({ replies, tool: () => long });
    const shown = (call: number) =>
      Array.from({ length: 8 }, (_, at) => observation(session.asked[call], at)?.includes(long) === true);
    // Five of them stay in any case.
    expect(shown(9)).toEqual([false, false, false, true, true, true, true, true]);
    expect(observation(session.asked[9], 0)).toMatch(
      /^The result of get_order_details <order_id>#W0<\/order_id> is left out here to save space\. It begins with: \{"order": "x{189}/,
    );
    expect(shown(4)).toEqual([true, true, true, false, false, false, false, false]);
    expect(shown(10)).toEqual(Array.from({ length: 8 }, () => true));
  });
});

describe('a write', () => {
  const rest = [finishReply(), answerReply()];

  it('without its name runs if the clarifier confirms it', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply('call off #W1'), clarifyReply({ command: CANCEL }), ...rest],
    });
    expect(session.asked[2]?.role).toBe('agent/clarification');
    expect(session.steps[0]).toContain('cancel_pending_order');
  });

  it.each(['cancel_pending_ordre <order_id>#W1</order_id> <reason>no longer needed</reason>', 'Cancel it.'])(
    'does not run if the clarifier does not name it: %s',
    async (command) => {
      const { session } = await solve({
        replies: [planReply(), commandReply('call off #W1'), clarifyReply({ command }), ...rest],
      });
      expect(session.steps).toHaveLength(1);
      expect(observation(session.asked[3], 0)).toContain('ask_user');
    },
  );
});

it('a draft within a reasoning block does not run', async () => {
  const reply = `<think>\n${commandReply(CANCEL)}\n</think>\n${commandReply(LOOK)}`;
  const { session } = await solve({ replies: [planReply(), reply, finishReply(), answerReply()] });
  expect(session.steps[0]).toBe('get_order_details {"order_id": "#W1"}');
});

describe('a command that does not run', () => {
  const rest = [finishReply(), answerReply()];

  it.each(['what_can_i_do', 'intent_misunderstood'])('%s shows the catalogue, as tool and as command', async (name) => {
    const { session } = await solve({ replies: [planReply(), toolReply(name), commandReply(name), ...rest] });
    expect(userText(session.asked[2])).toContain(
      `[[ ## observation_0 ## ]]\nAvailable execute_workflow_query tool commands:`,
    );
    expect(userText(session.asked[3])).toContain(
      `[[ ## observation_1 ## ]]\nAvailable execute_workflow_query tool commands:`,
    );
    expect(session.steps).toHaveLength(1);
  });

  it('is detected if it is empty, without a step or a model call', async () => {
    const { session, prompts } = await solve({ replies: [planReply(), commandReply(''), ...rest] });
    expect(prompts).toEqual(['plan', 'react', 'react', 'extract']);
    expect(userText(session.asked[2])).toContain('[[ ## observation_0 ## ]]\nThe command was empty');
  });

  it('is clarified if it has no name, and executed as clarified', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply('tell me a joke'), clarifyReply({ command: LOOK }), ...rest],
    });
    expect(session.asked[2]?.role).toBe('agent/clarification');
    expect(userText(session.asked[2])).toContain('[[ ## original_command ## ]]\ntell me a joke');
    expect(session.steps[0]).toBe('get_order_details {"order_id": "#W1"}');
  });

  it('is left to the agent if only the user can clarify it, without a step or a new plan', async () => {
    const { session, prompts } = await solve({
      replies: [
        planReply(),
        commandReply('tell me a joke'),
        clarifyReply({ needsHuman: 'true', question: 'What about?' }),
        ...rest,
      ],
    });
    expect(prompts).not.toContain('replan');
    expect(observation(session.asked[3], 0)).toContain('ask_user');
    expect(observation(session.asked[3], 0)).toContain('What about?');
    expect(session.steps).toHaveLength(1);
  });

  it('can be corrected without a new plan if it has more than one try', async () => {
    const { session, prompts } = await solve({
      replies: [planReply(), commandReply('get_order_details'), commandReply(LOOK), ...rest],
      options: { ...OPTIONS, parameterTries: 2 },
    });
    expect(prompts).not.toContain('replan');
    expect(observation(session.asked[2], 0)).not.toContain('command aborted');
    expect(session.steps[0]).toBe('get_order_details {"order_id": "#W1"}');
  });

  it('leads to one new plan when a parameter is missing', async () => {
    const { session, prompts } = await solve({
      replies: [planReply(), commandReply('cancel_pending_order'), planReply('1. Ask for it.'), ...rest],
    });
    expect(prompts).toEqual(['plan', 'react', 'replan', 'react', 'extract']);
    const replan = userText(session.asked[2]);
    expect(replan).toContain(`[[ ## agent_inputs ## ]]\nuser_query: ${OPENING}`);
    expect(replan).toContain('[[ ## tool_name_0 ## ]]\nexecute_workflow_query');
    expect(replan).toContain(
      "[[ ## user_response ## ]]\nPARAMETER EXTRACTION ERROR FOR COMMAND 'cancel_pending_order'",
    );
    const observation = /\[\[ ## observation_0 ## ]]\n([\s\S]*?)\n\nAnswer with/.exec(userText(session.asked[3]))?.[1];
    expect(observation).toMatch(/^User Query:\nPARAMETER EXTRACTION ERROR/);
    expect(observation).toMatch(/\ncommand aborted\n\nExecute these next steps:\n1\. Ask for it\.\s*$/);
    expect(session.steps).toEqual(['respond {"content": "All done."}']);
  });
});

describe('a reply that cannot be used', () => {
  it('is requested once more as JSON, with the catalogue, and nothing runs twice', async () => {
    const { session, end } = await solve({
      replies: [
        planReply(),
        commandReply(CANCEL),
        'I am done, I think.',
        '{"next_thought": "x", "next_tool_name": "finish", "next_tool_args": {}}',
        answerReply(),
      ],
    });
    expect(end).toBe('done');
    expect(session.steps.filter((step) => step.startsWith('cancel'))).toHaveLength(1);
    expect(session.asked.map((asked) => asked.format)).toEqual(['text', 'text', 'text', 'json', 'text']);
    expect(session.asked.map(({ request }) => request.schema)).toEqual([
      undefined,
      undefined,
      undefined,
      'react/schema',
      undefined,
    ]);
    expect(systemText(session.asked[3])).toContain(catalogueText(catalogueOf('retail')));
    expect(userText(session.asked[3])).toContain('JSON');
    expect(userText(session.asked[3])).toContain('observation_0');
  });

  it('is met with a hint when the JSON form cannot be read either, and the third time the answer is extracted', async () => {
    const hopeless = ['Hm.', null] as const;
    const { session, prompts, end } = await solve({
      replies: [planReply(), commandReply(CANCEL), ...hopeless, ...hopeless, ...hopeless, answerReply()],
    });
    expect(end).toBe('done');
    expect(prompts).toEqual(['plan', ...Array.from({ length: 7 }, () => 'react'), 'extract']);
    expect(observation(session.asked.at(-1), 1)).toContain('Agent failed to select a valid tool: the reply could not');
    expect(session.steps.filter((step) => step.startsWith('cancel'))).toHaveLength(1);
    expect(session.counts.get('unreadable_replies')).toBe(6);
  });

  it('is met with a hint when it names no tool, and the third time the answer is extracted', async () => {
    const illegal = ['search', '{"next_thought": "", "next_tool_name": "search", "next_tool_args": {}}'] as const;
    const twice = [toolReply(illegal[0]), illegal[1]];
    const { session, prompts, end } = await solve({
      replies: [planReply(), ...twice, ...twice, ...twice, answerReply()],
    });
    expect(end).toBe('done');
    expect(prompts).toEqual(['plan', 'react', 'react', 'react', 'react', 'react', 'react', 'extract']);
    const seen = userText(session.asked.at(-1));
    expect(seen).toContain("[[ ## observation_0 ## ]]\nAgent failed to select a valid tool: 'search'");
    expect(seen).toContain('[[ ## thought_1 ## ]]');
    expect(seen).toContain('[[ ## observation_5 ## ]]');
  });

  it('is not read twice where a tool asked for it: the answer counts without a new plan, and the agent continues', async () => {
    const { session, end } = await solve({
      replies: [planReply(), askReply('Which order?'), null, '', finishReply(), answerReply()],
      userReplies: ['#W1, please.'],
    });
    expect(end).toBe('done');
    expect(observation(session.asked[4], 0)).toMatch(/^#W1, please\.\n\nNo new plan could be made of this: /);
    expect(session.steps).toHaveLength(2);
    expect(session.counts.get('unreadable_replies')).toBe(2);
    expect(session.counts.get('tool_errors')).toBe(1);
  });

  it('does not lose a parameter error', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply('cancel_pending_order'), null, '', finishReply(), answerReply()],
    });
    expect(observation(session.asked[4], 0)).toMatch(
      /^PARAMETER EXTRACTION ERROR[\s\S]*\ncommand aborted\n\nNo new plan could be made/,
    );
  });

  it('leaves a turn without a plan, and its history without a summary', async () => {
    const { session, prompts, end } = await solve({
      replies: [
        null,
        '',
        commandReply(CANCEL),
        finishReply(),
        answerReply(),
        '',
        null,
        '',
        null,
        finishReply(),
        answerReply(),
      ],
      userReplies: ['Thanks.'],
    });
    expect(end).toBe('done');
    expect(prompts.slice(0, 3)).toEqual(['plan', 'plan', 'react']);
    expect(userText(session.asked[2])).toContain(`[[ ## user_query ## ]]\n${OPENING}\n\n[[ ## trajectory ## ]]`);
    expect(userText(session.asked.at(-1))).toContain(
      `user_query: ${OPENING}\nagent_answer: All done.\nnew_user_query: Thanks.`,
    );
  });

  it('counts illegal choices anew after an answer of the user', async () => {
    const wrong = ['{"next_thought": "", "next_tool_name": "search", "next_tool_args": {}}'].flatMap((x) => [x, x]);
    const { prompts } = await solve({
      replies: [
        planReply(),
        ...wrong,
        ...wrong,
        askReply('Really?'),
        planReply(),
        ...wrong,
        ...wrong,
        finishReply(),
        answerReply(),
      ],
      userReplies: ['Yes.'],
    });
    expect(prompts.filter((name) => name === 'react')).toHaveLength(10);
  });
});

it('the agent keeps the lines of a plan', async () => {
  const replies = [planReply('1. Look\n   it up.\n\n2. Tell.'), finishReply(), answerReply()];
  const { session } = await solve({ replies });
  expect(userText(session.asked[1])).toContain(
    `${OPENING}\n\nExecute these next steps:\n1. Look\n   it up.\n\n2. Tell.\n`,
  );
});

it('the agent remembers the answer of a turn without commands', async () => {
  const turn = (answer: string) => [planReply(), finishReply(), answerReply(answer)];
  const replies = [...turn('Which order?'), ...turn('All done.')];
  const { session, prompts } = await solve({ replies, userReplies: ['#W1'] });
  expect(prompts).not.toContain('summary');
  expect(userText(session.asked[4])).toContain(
    `first_user_query: ${OPENING}\nuser_query: ${OPENING}\nagent_answer: Which order?\nnew_user_query: #W1`,
  );
});

it('runs a write once, though the reply after it cannot be read', async () => {
  const { session } = await solve({
    replies: [planReply(), commandReply(CANCEL), 'Hm.', 'Hm.', finishReply(), answerReply()],
  });
  expect(session.steps.filter((step) => step.startsWith('cancel_pending_order'))).toHaveLength(1);
});
