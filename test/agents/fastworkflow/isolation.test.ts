/** Two episodes at once share nothing: whatever the order in which their calls and steps come, each is as if alone. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createFastWorkflow, fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import { observeSteps, type StepEvent } from '../../../src/agents/index.ts';
import { grade, listActions, type Task } from '../../../src/benchmarks/index.ts';
import { action, createHasher, shop } from '../../benchmarks/helpers.ts';
import { benchSession, type Turn } from '../bench-session.ts';
import { type Asked, OPTIONS } from '../fake-session.ts';
import { answerReply, clarifyReply, commandReply, finishReply, planReply, summaryReply } from './replies.ts';
import { CANCEL, LOOK, userText } from './rig.ts';

const TASK: Task = {
  userId: 'ada_1',
  instruction: 'You want to cancel your order.',
  actions: [action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}')],
  outputs: [],
};

/** Words that name no command: the first time the clarifier is asked, later they are known. */
const RIDDLE = 'xyzzy plugh';
const EXCHANGE =
  'modify_pending_order_items <order_id>#W1</order_id> <item_ids>["100"]</item_ids> ' +
  '<new_item_ids>["101"]</new_item_ids> <payment_method_id>gift_card_1</payment_method_id>';

/** Both serve the same customer, and touch the same order. */
const CANCELLING = [LOOK, RIDDLE, CANCEL, LOOK, RIDDLE];
const EXCHANGING = [RIDDLE, LOOK, EXCHANGE, RIDDLE, LOOK];

/** A model that gives these commands in turn, and then finishes. */
function model(commands: readonly string[]): (asked: Asked) => string {
  const left = [...commands];
  return (asked) => {
    const wanted = userText(asked).split('\n').at(-1) ?? '';
    if (wanted.includes('next_tool_name')) {
      const command = left.shift();
      return command === undefined ? finishReply() : commandReply(command);
    }
    if (wanted.includes('final_answer')) return answerReply();
    if (wanted.includes('conversation_summary')) return summaryReply();
    if (wanted.includes('clarified_command')) return clarifyReply({ command: LOOK });
    return planReply();
  };
}

async function episode(commands: readonly string[], turn?: Turn, strategy = fastWorkflow) {
  const answer = model(commands);
  const replies = Array.from({ length: 100 }, () => answer);
  const session = benchSession(shop, { replies, strategy, userReplies: ['And now?'] }, turn);
  const events: StepEvent[] = [];
  const end = await strategy.solve(
    observeSteps(session, (event) => events.push(event)),
    OPTIONS,
  );
  const { asked, actions, trajectory, transcript, counts } = session;
  const graded = grade(shop, TASK, listActions(trajectory), { hash: createHasher(shop) });
  return { end, graded, asked, actions, trajectory, transcript, events, counts: Object.fromEntries(counts) };
}

describe('two episodes', () => {
  it('give the same result one after the other', async () => {
    const first = await episode(CANCELLING);
    expect(first).toMatchObject({ end: 'done', graded: { grade: { reward: 1 } }, counts: { clarifications: 1 } });
    const other = await episode(EXCHANGING);
    expect(other).toMatchObject({ end: 'done', graded: { grade: { reward: 0 } }, counts: { clarifications: 1 } });
    expect(await episode(CANCELLING)).toEqual(first);
    expect(await episode(CANCELLING, undefined, createFastWorkflow())).toEqual(first);
  });

  it('give the same result at once, in any order of calls and steps, as alone', async () => {
    const alone = { a: await episode(CANCELLING), b: await episode(EXCHANGING) };
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const next =
          (name: string): Turn =>
          (what) =>
            scheduler.schedule(Promise.resolve(), `${name}: ${what}`);
        const both = Promise.all([episode(CANCELLING, next('a')), episode(EXCHANGING, next('b'))]);
        const [a, b] = await scheduler.waitFor(both);
        expect(a).toEqual(alone.a);
        expect(b).toEqual(alone.b);
      }),
      { numRuns: 25 },
    );
  });
});
