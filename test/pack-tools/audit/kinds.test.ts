import { describe, expect, it } from 'vitest';
import type { Task } from '../../../src/benchmarks/index.ts';
import { FINDING_KINDS, type Finding } from '../../../src/pack-tools/audit/index.ts';
import {
  action,
  CANCEL,
  FIND_ADA,
  findings,
  HAND_OVER,
  move,
  moveHome,
  READ_ADA,
  READ_LAMPS,
  READ_ORDER,
  task,
} from './shop.ts';

const think = (thought: string) => action('think', { thought });
const CHANGE = {
  order_id: '#W6000001',
  item_ids: ['8000000001'],
  new_item_ids: ['8000000002'],
  payment_method_id: 'credit_card_6606',
};
const change = (tool: string) => action(tool, CHANGE);
const NUMBERS = Array.from({ length: 31 }, (_, at) => String(at + 100));

interface Case {
  /** A sentence that goes on from "finds". */
  readonly name: string;
  readonly kind: Finding['kind'];
  readonly severity: Finding['severity'];
  readonly tasks: readonly Task[];
  /** Part of the finding's text. */
  readonly says: string;
}

const CASES: readonly Case[] = [
  {
    name: 'a tool that is not there',
    kind: 'unknown-tool',
    severity: 'wrong',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, action('juggle', { balls: 3 }), CANCEL] })],
    says: 'no tool juggle',
  },
  {
    name: 'a write whose arguments the schema refuses',
    kind: 'refused-arguments',
    severity: 'wrong',
    tasks: [
      task({
        actions: [...task().actions, action('cancel_pending_order', { order_id: '#W6000001', reason: 'bored' })],
      }),
    ],
    says: 'reason is "bored", not one of',
  },
  {
    name: 'a call without an argument that is needed, and with one that is not',
    kind: 'refused-arguments',
    severity: 'wrong',
    tasks: [task({ actions: [action('get_order_details', { order: '#W6000001' }), ...task().actions] })],
    says: 'order is not a parameter; order_id is missing',
  },
  {
    name: 'a refused read that harms nobody',
    kind: 'failing-call',
    severity: 'remark',
    tasks: [task({ actions: [action('find_user_id_by_email', { email: 'ida@example.org' }), ...task().actions] })],
    says: 'find_user_id_by_email finds nothing',
  },
  {
    name: 'a refused write with nothing in its place',
    kind: 'failing-call',
    severity: 'wrong',
    tasks: [
      task({
        actions: [
          ...task().actions,
          action('cancel_pending_order', { order_id: '#W6000002', reason: 'no longer needed' }),
        ],
      }),
    ],
    says: 'cancel_pending_order is refused and nothing comes in its place',
  },
  {
    name: 'a refused write before a handover',
    kind: 'failing-call',
    severity: 'suspicious',
    tasks: [
      task({
        actions: [
          ...task().actions,
          action('cancel_pending_order', { order_id: '#W6000002', reason: 'no longer needed' }),
          HAND_OVER,
        ],
      }),
    ],
    says: 'handed over',
  },
  {
    name: 'a refused write that is done in another way',
    kind: 'failing-call',
    severity: 'remark',
    tasks: [
      task({
        instruction: 'You are Ada (ada@example.org). Your lamp of W6000001 shall be of size 4.',
        actions: [
          FIND_ADA,
          READ_ADA,
          READ_ORDER,
          READ_LAMPS,
          change('exchange_delivered_order_items'),
          change('modify_pending_order_items'),
        ],
      }),
    ],
    says: 'modify_pending_order_items is done afterwards',
  },
  {
    name: 'a refused write that is done with another value',
    kind: 'failing-call',
    severity: 'remark',
    tasks: [
      task({
        instruction: 'You are Ada (ada@example.org). Your lamp of W6000001 shall be of size 5 or else 4.',
        actions: [
          FIND_ADA,
          READ_ADA,
          READ_ORDER,
          READ_LAMPS,
          action('modify_pending_order_items', { ...CHANGE, new_item_ids: ['8000000310'] }),
          change('modify_pending_order_items'),
        ],
      }),
    ],
    says: 'modify_pending_order_items is done afterwards',
  },
  {
    name: 'a refused write after which another is done to the same order',
    kind: 'failing-call',
    severity: 'wrong',
    tasks: [
      task({
        actions: [
          FIND_ADA,
          READ_ADA,
          READ_ORDER,
          action('modify_pending_order_payment', { order_id: '#W6000001', payment_method_id: 'credit_card_6606' }),
          CANCEL,
        ],
      }),
    ],
    says: 'nothing comes in its place',
  },
  {
    name: 'a write of what was there',
    kind: 'no-op-write',
    severity: 'suspicious',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, READ_ORDER, moveHome({}), CANCEL] })],
    says: 'modify_user_address is accepted and changes nothing',
  },
  {
    name: 'a write that is taken back',
    kind: 'undone-write',
    severity: 'suspicious',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, READ_ORDER, moveHome({ zip: '50140' }), moveHome({}), CANCEL] })],
    says: 'modify_user_address puts users/ada_lind_6606 back',
  },
  {
    name: 'a read that is repeated',
    kind: 'repeated-read',
    severity: 'remark',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, READ_ADA, READ_ORDER, CANCEL] })],
    says: 'says the same as in actions[1]',
  },
  {
    name: 'an output with a comma, which the grader never finds',
    kind: 'output-form',
    severity: 'wrong',
    tasks: [task({ outputs: ['1,075.50'] })],
    says: 'takes the commas out',
  },
  {
    name: 'an output of nothing',
    kind: 'output-form',
    severity: 'suspicious',
    tasks: [task({ outputs: [' '] })],
    says: 'in almost anything',
  },
  {
    name: 'an output that nobody says',
    kind: 'unreachable-output',
    severity: 'suspicious',
    tasks: [task({ outputs: ['zebra'] })],
    says: 'No observation, record or rule has "zebra"',
  },
  {
    name: 'a figure that follows from nothing',
    kind: 'unreachable-output',
    severity: 'suspicious',
    tasks: [task({ outputs: ['91234.57'] })],
    says: 'short calculation gives "91234.57"',
  },
  {
    name: 'an output that occurs inside other words',
    kind: 'ambiguous-output',
    severity: 'suspicious',
    tasks: [
      task({
        actions: [...task().actions.slice(0, 3), READ_LAMPS, CANCEL],
        outputs: ['31'],
      }),
    ],
    says: '"31" is also found inside another word',
  },
  {
    name: 'a figure that has to be worked out',
    kind: 'derived-output',
    severity: 'remark',
    tasks: [task({ outputs: ['12.75'] })],
    says: '"12.75" is in no observation and follows from them',
  },
  {
    name: 'an output in a record that the ground truth does not read',
    kind: 'unread-output',
    severity: 'remark',
    tasks: [task({ outputs: ['880066'] })],
    says: 'an agent that asks for more finds it',
  },
  {
    name: 'a customer who cannot be found',
    kind: 'missing-identity',
    severity: 'suspicious',
    tasks: [task({ instruction: 'You are Ada Lind. Cancel W6000001, you need it no longer.' })],
    says: "the user's name.first_name and name.last_name only",
  },
  {
    name: 'another customer than the task is about',
    kind: 'other-identity',
    severity: 'remark',
    tasks: [task({ userId: 'bo_marsh_9909' })],
    says: "The task is bo_marsh_9909's, and the instruction speaks as ada_lind_6606",
  },
  {
    name: 'a number that comes from nowhere',
    kind: 'ungrounded-value',
    severity: 'wrong',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, READ_ORDER, moveHome({ zip: '50999' }), CANCEL] })],
    says: 'neither the instruction nor any record has it.',
  },
  {
    name: 'words that nobody has used',
    kind: 'ungrounded-value',
    severity: 'suspicious',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, READ_ORDER, moveHome({ city: 'Stavanger' }), CANCEL] })],
    says: 'in these words',
  },
  {
    name: "what is another user's",
    kind: 'ungrounded-value',
    severity: 'suspicious',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, READ_ORDER, moveHome({ address2: 'bo@example.org' }), CANCEL] })],
    says: 'only records of another user have it',
  },
  {
    name: 'a value that the ground truth has not read',
    kind: 'unread-value',
    severity: 'remark',
    tasks: [
      task({ instruction: 'You are Ada (ada@example.org). Cancel your newest order.', actions: [FIND_ADA, CANCEL] }),
    ],
    says: 'the tools would say it',
  },
  {
    name: 'two tasks of the same words and other data',
    kind: 'contradicting-tasks',
    severity: 'wrong',
    tasks: [task(), task({ actions: [FIND_ADA, READ_ADA, READ_ORDER, CANCEL, moveHome({ zip: '50140' })] })],
    says: 'The instruction is that of task 0, and the final data are others',
  },
  {
    name: 'a task that comes twice',
    kind: 'duplicate-task',
    severity: 'suspicious',
    tasks: [task(), task()],
    says: 'The task is task 0 once more.',
  },
  {
    name: 'a task in other words',
    kind: 'duplicate-task',
    severity: 'remark',
    tasks: [task(), task({ instruction: 'Ada, ada@example.org, does not need W6000001 any more.' })],
    says: 'in other words',
  },
  {
    name: 'a handover before a change that is graded',
    kind: 'early-end',
    severity: 'wrong',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, HAND_OVER, CANCEL] })],
    says: 'ends the episode before one call that the grader counts',
  },
  {
    name: 'a handover before a read',
    kind: 'early-end',
    severity: 'suspicious',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, CANCEL, HAND_OVER, READ_ORDER] })],
    says: 'ends the episode before one call.',
  },
  {
    name: 'more steps than there are',
    kind: 'too-many-steps',
    severity: 'suspicious',
    tasks: [task({ actions: [...NUMBERS.map(think), ...task().actions] })],
    says: 'takes 36 steps',
  },
  {
    name: 'more changes than there are steps',
    kind: 'too-many-steps',
    severity: 'wrong',
    tasks: [
      task({
        instruction: `You are Ada (ada@example.org). Move W6000001 to each of these zips in turn: ${NUMBERS.join(', ')}.`,
        actions: [FIND_ADA, READ_ADA, READ_ORDER, ...NUMBERS.map((zip) => move('#W6000001', { zip }))],
      }),
    ],
    says: '31 of them change data',
  },
  {
    name: 'a task that is solved by doing nothing',
    kind: 'do-nothing',
    severity: 'remark',
    tasks: [task({ actions: [FIND_ADA, READ_ADA] })],
    says: 'an idle agent gets the reward',
  },
  {
    name: 'a task that only its words decide',
    kind: 'words-only',
    severity: 'remark',
    tasks: [task({ actions: [FIND_ADA, READ_ADA, READ_ORDER], outputs: ['880055'] })],
    says: 'only the outputs decide',
  },
];

describe('an audited task', () => {
  it('says nothing about a task that is right', () => {
    expect(
      findings({
        test: [task()],
        dev: [
          task({
            instruction: 'Ada: ada@example.org; W6000003',
            actions: [
              FIND_ADA,
              READ_ADA,
              action('cancel_pending_order', { order_id: '#W6000003', reason: 'ordered by mistake' }),
            ],
          }),
        ],
      }),
    ).toEqual([]);
  });

  it.each(CASES)('finds $name, and nothing else', ({ kind, severity, tasks, says }) => {
    const found = findings({ test: tasks });
    expect(found).toMatchObject([{ kind, severity, split: 'test', task: tasks.length - 1 }]);
    expect(found[0]?.text).toContain(says);
  });

  it('has a test for every kind', () => {
    expect(new Set(CASES.map(({ kind }) => kind))).toEqual(
      // Only tasks of τ³-bench have it: see tau3.test.ts.
      new Set(Object.keys(FINDING_KINDS).filter((kind) => kind !== 'ungraded-truth')),
    );
  });
});
