import { describe, expect, it } from 'vitest';

import { readReply } from '../../src/agents/fastworkflow/prompts/ask.ts';
import { signaturesFor } from '../../src/agents/fastworkflow/prompts/signatures.ts';
import { withMalformedArguments } from '../../src/scripted-model/garble.ts';
import type { ScriptedReply } from '../../src/scripted-model/reply.ts';
import { OPTIONS } from './helpers.ts';

const said = (content: string | null, changes: Partial<ScriptedReply> = {}): ScriptedReply => ({
  role: 'agent',
  episode: 'shop-3fa91c/test/0 s1',
  position: 0,
  content,
  ...changes,
});

describe('malformed arguments', () => {
  it('are a tool call’s without their last brace', () => {
    const reply = said(null, { toolCall: { name: 'look_up', arguments: '{"id": {"a": 1}}' } });
    expect(withMalformedArguments(reply)?.toolCall).toEqual({ name: 'look_up', arguments: '{"id": {"a": 1}' });
  });

  it.each([
    ['chat', '[[ ## next_thought ## ]]\nA\n\n[[ ## next_tool_name ## ]]\nfinish\n\n[[ ## next_tool_args ## ]]\n{}'],
    ['JSON', '{"next_thought": "A", "next_tool_name": "finish", "next_tool_args": {"a": "b"}}'],
  ])('make a reply of FastWorkflow’s agent in %s form one that it cannot read', (_, content) => {
    const { outputs } = signaturesFor(OPTIONS).react;
    expect(readReply(content, outputs).kind).toBe('fields');
    expect(readReply(withMalformedArguments(said(content))?.content ?? '', outputs).kind).toBe('unreadable');
  });

  it('are not to be had of replies that carry none', () => {
    expect(withMalformedArguments(said('{}', { role: 'agent/planner' }))).toBeUndefined();
    expect(withMalformedArguments(said('I can {help}.'))).toBeUndefined();
    expect(withMalformedArguments(said('I pay.', { role: 'user' }))).toBeUndefined();
  });
});
