import { describe, expect, it } from 'vitest';
import {
  followProgress,
  noteMove,
  readCycles,
  type Attempt,
  type SeenCycle,
} from '../../src/scripted-model/roles/fastworkflow/progress.ts';

const FAILED =
  "User Query:\nPARAMETER EXTRACTION ERROR FOR COMMAND 'x'\ncommand aborted\n\nExecute these next steps:\n1. y";
const ESCALATED = 'This could not be understood; put it to the customer with ask_user: Which?';
const OK = '{"done": false, "observation": "ok", "source": "get_order_details"}';

function cycle(index: number, position: number, attempt: Attempt, observation: string | undefined = OK): SeenCycle {
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

  it('is told by the last thought, whatever was dropped before', () => {
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

  it('asks the customer where that is what the agent is told to do', () => {
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
