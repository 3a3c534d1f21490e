import { describe, expect, it } from 'vitest';
import { MODELS, readModelName, type ScriptedReply } from '../../src/scripted-model/testing.ts';
import fc from 'fast-check';
import { findCaseCode, formatCaseCode } from '../../src/scripted-model/case-code.ts';
import { formatPackKey } from '../../src/benchmarks/testing.ts';
import { parseReply, signaturesFor } from '../../src/agents/fastworkflow/testing.ts';
import { withMalformedArguments } from '../../src/scripted-model/faults.ts';
import { OPTIONS } from './helpers.ts';

describe('the name of a scripted model', () => {
  it.each([
    ['oracle', 1, 'exact', 0],
    ['oracle:0.8', 0.8, 'exact', 0],
    ['oracle:.5', 0.5, 'exact', 0],
    ['oracle+natural', 1, 'natural', 0],
    ['oracle:0.8+natural', 0.8, 'natural', 0],
    ['scripted/oracle:1+natural', 1, 'natural', 0],
    ['oracle+careless', 1, 'exact', 0.2],
    ['oracle+careless:1', 1, 'exact', 1],
    ['oracle:0.8+natural+careless:.3', 0.8, 'natural', 0.3],
    ['gpt-4o', 1, 'exact', 0],
    ['oracle:0.8+natural+thinking', 0.8, 'natural', 0],
    ['oracles-of-delphi', 1, 'exact', 0],
  ])('%s asks for the rate %d, %s wording, and a share of %d misbehaving users', (name, rate, wording, misbehaving) => {
    expect(readModelName(name)).toEqual({ rate, wording, misbehaving, thinks: name.includes('+thinking') });
  });

  it.each([
    'oracle:',
    'oracle:2',
    'oracle:-1',
    'oracle:x+natural',
    'oracle+loud',
    'oracle+natural:0.8',
    'oracle+',
    'oracle+careless:',
    'oracle+careless:2',
    'oracle+careless+natural',
  ])('%s is refused with what to use instead', (name) => {
    expect(() => readModelName(name)).toThrow(/use oracle, or oracle:RATE.*\+natural.*\+careless/);
  });

  it('is listed in forms that can be read', () => {
    for (const model of MODELS) expect(() => readModelName(model)).not.toThrow();
  });
});

describe('the case code', () => {
  it('looks as people read it', () => {
    const packKey = formatPackKey({ domain: 'retail', ref: { digest: '3fa91c0000' } });
    expect(formatCaseCode({ packKey, split: 'test', taskId: 17, seed: 123 })).toBe('[case retail-3fa91c/test/17 s123]');
  });

  it('is found again in any text', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/);
    fc.assert(
      fc.property(
        fc.record({ packKey: word, split: word, taskId: fc.nat(), seed: fc.maxSafeInteger() }),
        fc.string(),
        fc.string(),
        (code, before, after) => {
          fc.pre(findCaseCode(before) === undefined);
          expect(findCaseCode(`${before} ${formatCaseCode(code)} ${after}`)).toEqual(code);
        },
      ),
    );
  });

  it('is the first of several', () => {
    const text = 'a [case a-1/test/1 s1] b [case a-1/test/2 s2]';
    expect(findCaseCode(text)).toEqual({ packKey: 'a-1', split: 'test', taskId: 1, seed: 1 });
  });
});

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
    [
      'chat',
      '[[ ## next_thought ## ]]\nA\n\n[[ ## next_tool_name ## ]]\nask_user\n\n[[ ## next_tool_args ## ]]\n{"clarification_request": "b"}',
    ],
    ['JSON', '{"next_thought": "A", "next_tool_name": "finish", "next_tool_args": {"a": "b"}}'],
  ])('make a reply of FastWorkflow’s agent in %s form one that it cannot read', (_, content) => {
    const { outputs } = signaturesFor(OPTIONS).react;
    expect(parseReply(content, outputs).kind).toBe('fields');
    expect(parseReply(withMalformedArguments(said(content))?.content ?? '', outputs).kind).toBe('unreadable');
  });

  it('are not to be had of replies that carry none', () => {
    expect(withMalformedArguments(said('{}', { role: 'agent/planner' }))).toBeUndefined();
    expect(withMalformedArguments(said('I can {help}.'))).toBeUndefined();
    expect(withMalformedArguments(said('I pay.', { role: 'user' }))).toBeUndefined();
  });
});
