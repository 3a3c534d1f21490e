/** The loop with each defect of FastWorkflow that it can bring back, and without it. */

import { describe, expect, it } from 'vitest';
import type { FastWorkflowCompat } from '../../../src/agents/fastworkflow/testing.ts';
import type { StrategyOptions } from '../../../src/agents/index.ts';
import { OPTIONS } from '../fake-session.ts';
import { answerReply, askReply, commandReply, finishReply, planReply, toolReply } from './replies.ts';
import { CANCEL, observation, OPENING, solve, systemText, userText } from './rig.ts';

const compat = (name: FastWorkflowCompat): StrategyOptions => ({ ...OPTIONS, compat: [name] });
const looks = (n: number) => Array.from({ length: n }, () => toolReply('what_can_i_do'));

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

it('keeps the lines of a plan', async () => {
  const replies = [planReply('1. Look\n   it up.\n\n2. Tell.'), finishReply(), answerReply()];
  const { session } = await solve({ replies });
  expect(userText(session.asked[1])).toContain(
    `${OPENING}\n\nExecute these next steps:\n1. Look\n   it up.\n\n2. Tell.\n`,
  );
});

it('knows the answer of a turn without commands later', async () => {
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
