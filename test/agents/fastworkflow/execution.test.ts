import { describe, expect, it } from 'vitest';
import { ToolError, type ExecuteWorkflowQuery, type PerformAction } from '../../../src/agents/fastworkflow/public.ts';
import { createFastWorkflow, fastWorkflow } from '../../../src/agents/fastworkflow/index.ts';
import type { StrategyDefinition } from '../../../src/agents/index.ts';
import { OPTIONS } from '../fake-session.ts';
import { answerReply, commandReply, finishReply, planReply, summaryReply, toolReply, askReply } from './replies.ts';
import { CANCEL, LOOK, observation, solve, userText } from './rig.ts';

const rest = [finishReply(), answerReply()];

describe('the execution entry point', () => {
  it('is FastWorkflow’s own when nothing is replaced: understood, then a step', async () => {
    const { session } = await solve({ replies: [planReply(), commandReply(LOOK), ...rest] });
    expect(session.steps[0]).toBe('get_order_details {"order_id": "#W1"}');
  });

  it('gets the command as the agent wrote it, and what it answers is what the agent observes', async () => {
    const seen: string[] = [];
    const executeWorkflowQuery: ExecuteWorkflowQuery = (shop, turn, command) => {
      seen.push(`${shop.session.env} ${turn.cycles.length} ${command}`);
      return Promise.resolve({ kind: 'ran', response: 'It ran elsewhere.' });
    };
    const { session } = await solve({
      strategy: createFastWorkflow({ executeWorkflowQuery }),
      replies: [planReply(), commandReply('Tell me a joke!'), ...rest, summaryReply(), planReply(), ...rest],
      userReplies: ['Thanks.'],
    });
    expect(seen).toEqual(['retail 1 Tell me a joke!']);
    expect(observation(session.asked[2], 0)).toMatch(/^It ran elsewhere\./);
    expect(userText(session.asked[4])).toContain('command: Tell me a joke!\nresponse: It ran elsewhere.');
    expect(session.steps).toHaveLength(2);
  });

  it('can abort a command, which leads to a new plan, or end the episode', async () => {
    const executeWorkflowQuery: ExecuteWorkflowQuery = (_shop, turn) =>
      Promise.resolve(
        turn.cycles.length === 1
          ? { kind: 'aborted', message: 'Something is missing.' }
          : { kind: 'ended', end: 'max_steps' },
      );
    const { session, prompts, end } = await solve({
      strategy: createFastWorkflow({ executeWorkflowQuery }),
      replies: [planReply(), commandReply(LOOK), planReply('1. Ask.'), commandReply(LOOK)],
    });
    expect(end).toBe('max_steps');
    expect(prompts).toEqual(['plan', 'react', 'replan', 'react']);
    expect(observation(session.asked[3], 0)).toContain('Something is missing.\ncommand aborted');
  });

  it('does not call the lower one if both are replaced', async () => {
    const { session } = await solve({
      strategy: createFastWorkflow({
        executeWorkflowQuery: () => Promise.resolve({ kind: 'not_run', observation: 'Not today.' }),
        performAction: () => Promise.reject(new Error('this is not to be called')),
      }),
      replies: [planReply(), commandReply(LOOK), ...rest],
    });
    expect(observation(session.asked[2], 0)).toMatch(/^Not today\./);
  });
});

describe('the entry point one level lower', () => {
  it('gets the planned command, once it is understood and valid', async () => {
    const planned: unknown[] = [];
    const performAction: PerformAction = (_shop, { commandName, cmdParameters }) => {
      planned.push([commandName, cmdParameters]);
      return Promise.resolve({ kind: 'observed', text: 'It was done elsewhere.' });
    };
    const { session, prompts } = await solve({
      strategy: createFastWorkflow({ performAction }),
      replies: [planReply(), commandReply('cancel_pending_order'), planReply(), commandReply(CANCEL), ...rest],
    });
    const parameters = new Map([
      ['order_id', '#W1'],
      ['reason', 'no longer needed'],
    ]);
    expect(planned).toEqual([['cancel_pending_order', parameters]]);
    expect(prompts).toEqual(['plan', 'react', 'replan', 'react', 'react', 'extract']);
    expect(observation(session.asked[4], 1)).toMatch(/^It was done elsewhere\./);
    expect(session.steps).toEqual(['respond {"content": "All done."}']);
  });

  it('can pass a changed command to the bridge', async () => {
    const performAction: PerformAction = ({ bridge }, planned) =>
      bridge.execute({ ...planned, cmdParameters: { order_id: '#W2' } });
    const { session } = await solve({
      strategy: createFastWorkflow({ performAction }),
      replies: [planReply(), commandReply(LOOK), ...rest],
    });
    expect(session.steps[0]).toBe('get_order_details {"order_id": "#W2"}');
  });

  it('is not called in decision-only mode', async () => {
    const { end } = await solve({
      strategy: createFastWorkflow({ performAction: () => Promise.reject(new Error('this is not to be called')) }),
      options: { ...OPTIONS, decisionOnly: true },
      replies: [planReply(), commandReply(LOOK), finishReply()],
    });
    expect(end).toBe('decided');
  });
});

describe('an error in a tool', () => {
  it('is an observation if it is a ToolError, and the tool is not called again', async () => {
    let calls = 0;
    const performAction: PerformAction = () => {
      calls++;
      return Promise.reject(new ToolError('the warehouse is closed'));
    };
    const { session, end } = await solve({
      strategy: createFastWorkflow({ performAction }),
      replies: [planReply(), commandReply(CANCEL), ...rest],
    });
    expect(end).toBe('done');
    expect(calls).toBe(1);
    expect(observation(session.asked[2], 0)).toMatch(
      /^Execution error in execute_workflow_query: the warehouse is closed/,
    );
    expect(session.counts.get('tool_errors')).toBe(1);
  });

  it('ends the episode if it is any other error', async () => {
    const attempt = solve({
      strategy: createFastWorkflow({ performAction: () => Promise.reject(new Error('a bug')) }),
      replies: [planReply(), commandReply(CANCEL), ...rest],
    });
    await expect(attempt).rejects.toThrow('a bug');
  });

  it('of the environment is an observation of one step', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply(CANCEL), ...rest],
      tool: () => 'Error: order not found',
    });
    expect(session.steps.filter((step) => step.startsWith('cancel'))).toHaveLength(1);
    expect(observation(session.asked[2], 0)).toContain('Error: order not found');
    expect(session.counts.get('tool_errors')).toBeUndefined();
  });

  it.each([
    ['execute_workflow_query', { query: ['x'] }],
    ['ask_user', {}],
  ])('is an observation if %s lacks its argument', async (tool, args) => {
    const { session } = await solve({ replies: [planReply(), toolReply(tool, args), ...rest] });
    expect(userText(session.asked[2])).toContain(`Execution error in ${tool}`);
    expect(session.steps).toHaveLength(1);
    expect(session.counts.get('tool_errors')).toBe(1);
  });
});

describe('a custom classifier', () => {
  const notesOf = ({ notes = [] }: StrategyDefinition) => (typeof notes === 'function' ? notes(OPTIONS) : notes).join();

  it('is named in the notes, as is its absence', () => {
    expect(notesOf(fastWorkflow)).toContain('own trained classifier');
    expect(notesOf(createFastWorkflow({ classifier: () => [] }))).toContain('supplied');
  });
});

const options = { ...OPTIONS, decisionOnly: true };

describe('decision-only', () => {
  it('enters each planned command in the trajectory, reports to the agent that nothing ran, and takes no step', async () => {
    const { session, end, prompts } = await solve({
      replies: [planReply(), commandReply(LOOK), commandReply(CANCEL), finishReply()],
      options,
    });
    expect(end).toBe('decided');
    expect(prompts).toEqual(['plan', 'react', 'react', 'react']);
    expect(session.steps).toEqual([]);
    expect(observation(session.asked[2], 0)).toContain('Nothing was executed');
    const calls = session.trajectory.flatMap((message) =>
      message.role === 'assistant' ? (message.tool_calls ?? []) : [],
    );
    expect(calls.map((call) => call.function)).toEqual([
      { name: 'get_order_details', arguments: '{"order_id": "#W1"}' },
      { name: 'cancel_pending_order', arguments: '{"order_id": "#W1", "reason": "no longer needed"}' },
    ]);
  });

  it('ends when the agent would ask the user', async () => {
    const { session, end } = await solve({ replies: [planReply(), commandReply(LOOK), askReply('Really?')], options });
    expect(end).toBe('decided');
    expect(session.steps).toEqual([]);
  });

  it('ends when the iterations do', async () => {
    const looks = Array.from({ length: 25 }, () => toolReply('what_can_i_do'));
    const { end } = await solve({ replies: [planReply(), ...looks], options });
    expect(end).toBe('decided');
  });
});
