/** Replies of small models in place of the form that was asked for: the episode continues, and nothing runs twice. */

import { describe, expect, it } from 'vitest';
import { parseReply, signaturesFor } from '../../../src/agents/fastworkflow/testing.ts';
import { OPTIONS } from '../fake-session.ts';
import { answerReply, commandReply, finishReply, planReply, toolReply } from './replies.ts';
import { CANCEL, LOOK, observation, solve, userText } from './rig.ts';

const choice = (tool: string, args: string, thought = '') =>
  `${thought}[[ ## next_tool_name ## ]]\n${tool}\n\n[[ ## next_tool_args ## ]]\n${args}\n\n[[ ## completed ## ]]`;
const EXECUTE = 'execute_workflow_query';
const args = JSON.stringify({ command: CANCEL });
const STEP = 'cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}';

/** Replies in which a write is chosen, with the thought that is kept. */
const FORMS: readonly (readonly [form: string, reply: string, thought: string])[] = [
  ['a thought in a <think> tag', `<think>Cancel it.</think>\n${choice(EXECUTE, args)}`, ''],
  ['a thought in prose before the first marker', choice(EXECUTE, args, 'I cancel it.\nNow.\n\n'), 'I cancel it.\nNow.'],
  [
    'prose beside a thought of its own',
    `Sure!\n[[ ## next_thought ## ]]\nCancel.\n${choice(EXECUTE, args)}`,
    'Cancel.',
  ],
  ['JSON', JSON.stringify({ next_thought: 'x', next_tool_name: EXECUTE, next_tool_args: { command: CANCEL } }), 'x'],
  [
    'prose before JSON',
    `I cancel it.\n\`\`\`json\n${JSON.stringify({ next_tool_name: EXECUTE, next_tool_args: { command: CANCEL } })}\n\`\`\``,
    'I cancel it.',
  ],
  [
    'two JSON objects',
    [CANCEL, LOOK]
      .map((command) => JSON.stringify({ next_tool_name: EXECUTE, next_tool_args: { command } }))
      .join('\n'),
    '',
  ],
  [
    'a JSON list of choices',
    JSON.stringify([CANCEL, LOOK].map((command) => ({ next_tool_name: EXECUTE, next_tool_args: { command } }))),
    '',
  ],
  ['bold markers', choice(EXECUTE, args).replace(/\[\[.*?\]\]/g, '**$&**'), ''],
  ['headings of Markdown', choice(EXECUTE, args).replaceAll('[[', '### [['), ''],
  ['markers in capitals', choice(EXECUTE, args).replace(/## \w+ ##/g, (name) => name.toUpperCase()), ''],
  ['markers without spaces', choice(EXECUTE, args).replaceAll('[[ ## ', '[[##').replaceAll(' ## ]]', '##]]'), ''],
  ['markers without their second sign', choice(EXECUTE, args).replaceAll(' ## ]]', ' ]]'), ''],
  ['markers in back-ticks', choice(EXECUTE, args).replace(/\[\[.*?\]\]/g, '`$&`'), ''],
  [
    'two choices',
    `${choice(EXECUTE, args).replace('\n\n[[ ## completed ## ]]', '')}\n\n${choice(EXECUTE, JSON.stringify({ command: LOOK }))}`,
    '',
  ],
  ['the command itself as the arguments', choice(EXECUTE, CANCEL), ''],
  ['the command as a string', choice(EXECUTE, JSON.stringify(CANCEL)), ''],
  ['the command after the name of its argument', choice(EXECUTE, `command: ${CANCEL}`), ''],
  ['another name for the argument', choice(EXECUTE, JSON.stringify({ query: CANCEL })), ''],
  ['two objects of arguments', choice(EXECUTE, `${args}\n${JSON.stringify({ command: LOOK })}`), ''],
  ['a tool in back-ticks', choice(`\`${EXECUTE}\``, args), ''],
  ['a tool in other case and spelling', choice('Execute Workflow-Query()', args), ''],
  ['words after the end', `${choice(EXECUTE, args)}\n[[ ## observation_0 ## ]]\n{"status": "cancelled"}`, ''],
  ['a fence around it all', `\`\`\`text\n${choice(EXECUTE, args)}\n\`\`\``, ''],
  [
    'words and a fence',
    `Here:\n\`\`\`\n${choice(EXECUTE, args).replace('\n\n[[ ## completed ## ]]', '')}\n\`\`\``,
    'Here:',
  ],
];

describe('a choice', () => {
  it.each(FORMS)('with %s is executed once, without another call', async (_, reply, thought) => {
    const { session, end, prompts } = await solve({ replies: [planReply(), reply, finishReply(), answerReply()] });
    expect(end).toBe('done');
    expect(prompts).toEqual(['plan', 'react', 'react', 'extract']);
    expect(session.steps).toEqual([STEP, 'respond {"content": "All done."}']);
    expect(userText(session.asked[2])).toContain(
      `[[ ## thought_0 ## ]]\n${thought}\n\n[[ ## tool_name_0 ## ]]\n${EXECUTE}`,
    );
    expect(session.counts.get('unreadable_replies')).toBeUndefined();
  });

  it('is counted if its form is wrong', async () => {
    const replies = [planReply(), choice(EXECUTE, CANCEL), commandReply(LOOK), finishReply(), answerReply()];
    const { session } = await solve({ replies });
    expect(session.counts.get('loose_replies')).toBe(1);
  });

  it('of a tool without arguments needs none', async () => {
    for (const written of ['', 'none', '[]', 'nothing']) {
      const { end } = await solve({ replies: [planReply(), choice('finish', written), answerReply()] });
      expect(end).toBe('done');
    }
    const { end } = await solve({ replies: [planReply(), '[[ ## next_tool_name ## ]]\nfinish', answerReply()] });
    expect(end).toBe('done');
  });

  it.each(['', '{"command": "get_order_details <order_id>#W1', 'None'])(
    'of an incomplete command, %j, is requested again',
    async (written) => {
      const replies = [planReply(), choice(EXECUTE, written), commandReply(LOOK), finishReply(), answerReply()];
      const { session, end } = await solve({ replies });
      expect(end).toBe('done');
      expect(session.steps.filter((step) => step.startsWith('get_order_details'))).toHaveLength(1);
    },
  );

  it('of a command in place of a tool gets one hint', async () => {
    const wrong = choice('get_order_details', '{"order_id": "#W1"}');
    const { session, end, prompts } = await solve({
      replies: [planReply(), wrong, wrong, commandReply(LOOK), finishReply(), answerReply()],
    });
    expect(end).toBe('done');
    expect(prompts).toEqual(['plan', 'react', 'react', 'react', 'react', 'extract']);
    expect(observation(session.asked[3], 1)).toMatch(/^get_order_details is a command, not a tool\. Choose/);
    expect(session.counts.get('illegal_tool_choices')).toBe(1);
  });

  it('is parsed within Markdown, and without its markers', () => {
    const { outputs } = signaturesFor(OPTIONS).react;
    for (const [form, reply] of [
      ['back-ticks', choice(`\`${EXECUTE}\``, args)],
      ['bare', choice(EXECUTE, CANCEL)],
      ['bold', choice(EXECUTE, args).replace(/\[\[.*?\]\]/g, '**$&**')],
    ] as const) {
      expect([form, parseReply(reply, outputs).kind]).toEqual([form, 'fields']);
    }
  });
});

describe('prose in place of an answer', () => {
  const work = [planReply(), commandReply(CANCEL), finishReply()];

  it('is the answer if it is sent twice', async () => {
    const { session, end, prompts } = await solve({
      replies: [...work, 'It is cancelled.', 'Your order is cancelled.'],
    });
    expect(end).toBe('done');
    expect(prompts.slice(-2)).toEqual(['extract', 'extract']);
    expect(session.steps.at(-1)).toBe('respond {"content": "Your order is cancelled."}');
    expect(session.counts.get('loose_replies')).toBe(1);
  });

  it('is the plan', async () => {
    const { session } = await solve({ replies: ['1. Cancel it.', null, ...work.slice(1), answerReply()] });
    expect(userText(session.asked[2])).toContain('Execute these next steps:\n1. Cancel it.\n');
  });

  it('is not a choice of a tool', async () => {
    const replies = [planReply(), 'I cancel it.', 'I have cancelled it.', finishReply(), answerReply()];
    const { session } = await solve({ replies });
    expect(session.steps).toHaveLength(1);
    expect(observation(session.asked[3], 0)).toContain('Agent failed to select a valid tool');
  });
});

it('the agent keeps a thought before the first marker of a plan', async () => {
  const { session } = await solve({
    replies: ['First the order.\n[[ ## next_steps ## ]]\n1. Cancel.', toolReply('finish'), answerReply()],
  });
  expect(userText(session.asked[1])).toContain('1. Cancel.');
  expect(session.counts.get('loose_replies')).toBe(1);
});
