import { describe, expect, it } from 'vitest';
import { catalogueOf, catalogueText } from '../../../src/agents/fastworkflow/catalogue/index.ts';
import { AgentError } from '../../../src/agents/port.ts';
import { answerReply, askReply, commandReply, finishReply, planReply, toolReply } from './replies.ts';
import { CANCEL, observation, solve, systemText, userText } from './rig.ts';

describe('a reply that cannot be used', () => {
  it('is asked for once more as JSON, with the catalogue, and nothing runs twice', async () => {
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
    expect(systemText(session.asked[3])).toContain(catalogueText(catalogueOf('retail')));
    expect(userText(session.asked[3])).toContain('JSON');
    expect(userText(session.asked[3])).toContain('observation_0');
  });

  it('ends the episode when the JSON form cannot be read either', async () => {
    const attempt = solve({ replies: [planReply(), 'Hm.', null] });
    await expect(attempt).rejects.toBeInstanceOf(AgentError);
    await expect(attempt).rejects.toMatchObject({ kind: 'unparsable_reply' });
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

  it('is not read twice where a tool asked for it: the answer stands without a new plan, and the agent goes on', async () => {
    const { session, end } = await solve({
      replies: [planReply(), askReply('Which order?'), 'Hm.', 'Hm.', finishReply(), answerReply()],
      userReplies: ['#W1, please.'],
    });
    expect(end).toBe('done');
    expect(observation(session.asked[4], 0)).toMatch(/^#W1, please\.\n\nNo new plan could be made of this: /);
    expect(session.steps).toHaveLength(2);
    expect(session.counts.get('unreadable_replies')).toBe(2);
    expect(session.counts.get('tool_errors')).toBe(1);
  });

  it('loses no parameter error either', async () => {
    const { session } = await solve({
      replies: [planReply(), commandReply('cancel_pending_order'), 'Hm.', 'Hm.', finishReply(), answerReply()],
    });
    expect(observation(session.asked[4], 0)).toMatch(
      /^PARAMETER EXTRACTION ERROR[\s\S]*\ncommand aborted\n\nNo new plan could be made/,
    );
  });

  it('ends the episode when it is the plan of a whole turn', async () => {
    await expect(solve({ replies: ['Hm.', 'Hm.'] })).rejects.toMatchObject({ kind: 'unparsable_reply' });
  });

  it('counts illegal choices anew after an answer of the customer', async () => {
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
