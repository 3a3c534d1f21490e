/** Episodes on the small shop, for tests of what is said about them. */

import type { AnalyzedEpisode } from '../../../src/analysis/index.ts';
import { foldActions, STOP_MARKER, type Action, type Task } from '../../../src/benchmarks/index.ts';
import { replay } from '../../../src/benchmarks/testing.ts';
import { action, shop } from '../../benchmarks/helpers.ts';

export { action, shop };

export const CANCEL = action('cancel_pending_order', '{"order_id": "#W1", "reason": "no longer needed"}');
export const RETURN = action(
  'return_delivered_order_items',
  '{"order_id": "#W2", "item_ids": ["101"], "payment_method_id": "card_1"}',
);
export const EXCHANGE = action(
  'exchange_delivered_order_items',
  '{"order_id": "#W2", "item_ids": ["101"], "new_item_ids": ["100"], "payment_method_id": "card_1"}',
);
export const READ = action('get_order_details', '{"order_id": "#W1"}');
export const TRANSFER = action('transfer_to_human_agents', '{"summary": "enough"}');

/** @param zip JSON, so that numbers can be spelt either way */
export function moveTo(zip: string, id = '"user_id": "ada_1"', tool = 'modify_user_address'): Action {
  const address = '"address1": "1 Elm", "address2": "", "city": "Reno", "state": "NV", "country": "USA"';
  return action(tool, `{${id}, ${address}, "zip": ${zip}}`);
}

export function say(text: string): Action {
  return action('respond', JSON.stringify({ content: text }));
}

export function taskOf(actions: readonly Action[], outputs: readonly string[] = []): Task {
  return { userId: 'ada_1', instruction: 'You want something.', actions, outputs };
}

/** A failed episode; the user stops it when the agent has spoken last. */
export function failed(task: Task, actions: readonly Action[], rest: Partial<AnalyzedEpisode> = {}): AnalyzedEpisode {
  const replies = actions
    .filter(({ name }) => name === 'respond')
    .map((_, at, { length }) => (at === length - 1 ? STOP_MARKER : 'Yes.'));
  const { steps } = replay(shop, actions, replies);
  return {
    task,
    opening: 'Hi',
    steps: actions.map((action, at) => {
      const step = steps[at];
      return { action, observation: step?.kind === 'observed' ? step.observation : null };
    }),
    outcome: actions.at(-1)?.name === TRANSFER.name ? 'transferred' : 'user_stop',
    reward: 0,
    unreadable: null,
    error: null,
    ...rest,
  };
}

export function stateAfter(actions: readonly Action[]) {
  return foldActions(shop, actions);
}
