/** The loop with each defect of FastWorkflow that it can bring back, and without it. */

import { describe, expect, it } from 'vitest';
import type { FastWorkflowCompat } from '../../../src/agents/fastworkflow/options.ts';
import type { StrategyOptions } from '../../../src/agents/port.ts';
import { OPTIONS } from '../fake-session.ts';
import { answerReply, askReply, commandReply, finishReply, planReply, summaryReply, toolReply } from './replies.ts';
import { CANCEL, observation, OPENING, shownCycles, solve, systemText, userText } from './rig.ts';

const compat = (name: FastWorkflowCompat): StrategyOptions => ({ ...OPTIONS, compat: [name] });
const looks = (n: number) => Array.from({ length: n }, () => toolReply('what_can_i_do'));
const jsonFinish = '{"next_thought": "x", "next_tool_name": "finish", "next_tool_args": {}}';

describe('fastworkflow-iterations', () => {
  const options = compat('fastworkflow-iterations');

  it('leaves every turn after 25 tools exactly one, whose result is still answered with', async () => {
    const { prompts, session, end } = await solve({
      replies: [
        planReply(),
        ...looks(25),
        answerReply('Stuck.'),
        planReply(),
        ...looks(1),
        answerReply('Still.'),
        planReply(),
        commandReply(CANCEL),
        answerReply('It is cancelled.'),
      ],
      userReplies: ['Try again.', 'And again.'],
      options,
    });
    expect(end).toBe('done');
    expect(prompts.slice(27)).toEqual(['replan', 'react', 'extract', 'replan', 'react', 'extract']);
    expect(session.steps.slice(-2)).toEqual([
      'cancel_pending_order {"order_id": "#W1", "reason": "no longer needed"}',
      'respond {"content": "It is cancelled."}',
    ]);
    expect(session.counts.get('iterations_exhausted')).toBe(3);
  });

  it('counts from turn to turn', async () => {
    const { prompts } = await solve({
      replies: [planReply(), ...looks(20), finishReply(), answerReply('?'), planReply(), ...looks(5), answerReply()],
      userReplies: ['Go on.'],
      options,
    });
    expect(prompts.filter((name) => name === 'react')).toHaveLength(26);
  });

  it('starts anew with a question: its answer is followed by 25 tools again', async () => {
    const { prompts } = await solve({
      replies: [
        planReply(),
        ...looks(25),
        answerReply('Stuck.'),
        planReply(),
        askReply('Really?'),
        planReply(),
        ...looks(25),
        answerReply(),
      ],
      userReplies: ['Try again.', 'Yes.'],
      options,
    });
    expect(prompts.filter((name) => name === 'react')).toHaveLength(51);
    expect(prompts.at(-1)).toBe('extract');
  });
});

describe('fastworkflow-flat-plan', () => {
  const replies = [planReply('1. Look\n   it up.\n\n2. Tell.'), finishReply(), answerReply()];

  it.each([
    [compat('fastworkflow-flat-plan'), '1. Look it up. 2. Tell.'],
    [OPTIONS, '1. Look\n   it up.\n\n2. Tell.'],
  ])('decides whether a plan keeps its lines', async (options, steps) => {
    const { session } = await solve({ replies, options });
    expect(userText(session.asked[1])).toContain(`${OPENING}\n\nExecute these next steps:\n${steps}\n`);
  });
});

describe('fastworkflow-forgotten-answers', () => {
  const turn = (answer: string) => [planReply(), finishReply(), answerReply(answer)];

  it.each([
    [compat('fastworkflow-forgotten-answers'), `conversation summary: ${OPENING}\nnew_user_query: #W1`],
    [OPTIONS, `user_query: ${OPENING}\nagent_answer: Which order?\nnew_user_query: #W1`],
  ])('decides whether the answer of a turn without commands is known later', async (options, entry) => {
    const replies = [...turn('Which order?'), ...turn('All done.')];
    const { session, prompts } = await solve({ replies, options, userReplies: ['#W1'] });
    expect(prompts).not.toContain('summary');
    expect(userText(session.asked[4])).toContain(`first_user_query: ${OPENING}\n${entry}`);
  });

  it('leaves turns with commands alone', async () => {
    const replies = [planReply(), commandReply(CANCEL), finishReply(), answerReply(), summaryReply(), ...turn('Bye.')];
    const options = compat('fastworkflow-forgotten-answers');
    const { session } = await solve({ replies, options, userReplies: ['Thanks.'] });
    expect(userText(session.asked[6])).toContain('conversation summary: The order was cancelled.');
  });
});

describe('fastworkflow-restart', () => {
  const options = compat('fastworkflow-restart');
  const writes = (steps: readonly string[]) => steps.filter((step) => step.startsWith('cancel_pending_order'));

  it('starts the turn again after an unreadable reply, with an empty trajectory, and runs its commands again', async () => {
    const { session, prompts } = await solve({
      replies: [planReply(), commandReply(CANCEL), 'Hm.', 'Hm.', commandReply(CANCEL), finishReply(), answerReply()],
      options,
    });
    expect(prompts).toEqual(['plan', 'react', 'react', 'react', 'react', 'react', 'extract']);
    expect(shownCycles(session.asked[4])).toEqual([]);
    expect(writes(session.steps)).toHaveLength(2);
    expect(session.counts.get('restarts')).toBe(1);
  });

  it('starts it again when it is the answer that cannot be read', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply(CANCEL), finishReply(), 'Hm.', 'Hm.', finishReply(), answerReply()],
      options,
    });
    expect(session.steps).toHaveLength(2);
    expect(shownCycles(session.asked.at(-1))).toEqual([0]);
  });

  it('does so once', async () => {
    const attempt = solve({ replies: [planReply(), 'Hm.', 'Hm.', commandReply(CANCEL), 'Hm.', 'Hm.'], options });
    await expect(attempt).rejects.toMatchObject({ kind: 'unparsable_reply' });
  });

  it('is not done by default: the write has run once when the turn ends', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply(CANCEL), 'Hm.', 'Hm.', finishReply(), answerReply()],
    });
    expect(writes(session.steps)).toHaveLength(1);
    expect(session.counts.get('restarts')).toBeUndefined();
  });
});

describe('fastworkflow-bare-json', () => {
  const replies = [planReply(), 'Hm.', jsonFinish, answerReply()];
  const TITLE = 'Available execute_workflow_query tool commands:';

  it('leaves the command list out of the second attempt, which the default shows', async () => {
    const bare = await solve({ replies, options: compat('fastworkflow-bare-json') });
    const full = await solve({ replies });
    const shown = ({ session }: typeof bare) => session.asked.map((asked) => systemText(asked).includes(TITLE));
    expect(shown(bare)).toEqual([true, true, false, true]);
    expect(shown(full)).toEqual([true, true, true, true]);
  });
});

describe('variants of the command list', () => {
  const replies = [planReply(), toolReply('what_can_i_do'), finishReply(), answerReply()];

  it('fastworkflow-legacy-catalogue hides the parameters’ names from planner, agent and tool', async () => {
    const legacy = await solve({ replies, options: compat('fastworkflow-legacy-catalogue') });
    const current = await solve({ replies });
    const named = ({ session }: typeof legacy) => [
      ...session.asked.map((asked) => systemText(asked).includes('order_id (text, required)')),
      observation(session.asked[2], 0)?.includes('order_id (text, required)'),
    ];
    expect(named(legacy)).toEqual([false, false, false, false, false]);
    expect(named(current)).toEqual([true, true, true, true, true]);
  });

  it('fastworkflow-core-commands offers them, and they answer without a step', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply('reset_context'), finishReply(), answerReply()],
      options: compat('fastworkflow-core-commands'),
    });
    expect(systemText(session.asked[0])).toContain('reset_context');
    expect(observation(session.asked[2], 0)).toContain('global');
    expect(session.steps).toHaveLength(1);
  });
});
