import { describe, expect, it } from 'vitest';
import { parseLiteral } from '../../../src/agents/index.ts';
import { parseLooseObject, parseReply, signaturesFor } from '../../../src/agents/fastworkflow/testing.ts';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { OPTIONS } from '../fake-session.ts';

const { react, plan } = signaturesFor(OPTIONS);

function readReact(text: string | null): string {
  const reply = parseReply(text, react.outputs);
  if (reply.kind !== 'fields') return reply.kind;
  const { texts, objects } = reply.fields;
  return [...texts.values(), ...[...objects.values()].map((object) => dumpJson(object))].join(' | ');
}

describe('a reply', () => {
  it.each([
    [
      'with one marker a line',
      '[[ ## next_thought ## ]]\nLook.\n\n[[ ## next_tool_name ## ]]\nfinish\n\n[[ ## next_tool_args ## ]]\n{}\n\n[[ ## completed ## ]]',
    ],
    [
      'with values beside the markers',
      '[[ ## next_thought ## ]] Look.\n[[ ## next_tool_name ## ]] finish\n[[ ## next_tool_args ## ]] {}',
    ],
    [
      'with words before and after',
      'Sure!\n[[##next_thought##]]\nLook.\n[[ ## next_tool_name ## ]]\n"finish"\n[[ ## next_tool_args ## ]]\n```json\n{}\n```\n[[ ## completed ## ]]\nHope it helps',
    ],
    [
      'with a repeated field',
      '[[ ## next_thought ## ]]\nLook.\n[[ ## next_tool_name ## ]]\nfinish\n[[ ## next_tool_args ## ]]\nNone\n[[ ## next_tool_name ## ]]\nask_user',
    ],
    ['as JSON', '{"next_thought": "Look.", "next_tool_name": "finish", "next_tool_args": {}}'],
    [
      'as JSON in a fence',
      '```json\n{"next_thought": "Look.", "next_tool_name": "finish", "next_tool_args": "{}"}\n```',
    ],
  ])('is parsed from %s', (_, text) => {
    expect(readReact(text)).toBe('Look. | finish | {}');
  });

  it('can lack its reasoning, but nothing else', () => {
    expect(readReact('[[ ## next_tool_name ## ]]\nfinish\n[[ ## next_tool_args ## ]]\n{}')).toBe(' | finish | {}');
    expect(readReact('[[ ## next_thought ## ]]\nx\n[[ ## next_tool_name ## ]]\nask_user')).toBe('unreadable');
  });

  it.each([null, '', 'I would look the order up.', '{"a": 1}', '{broken'])('cannot be parsed from %j', (text) => {
    expect(readReact(text)).toBe('unreadable');
  });

  it('must choose exactly one of the tools', () => {
    const choose = (name: string) => `[[ ## next_tool_name ## ]]\n${name}\n[[ ## next_tool_args ## ]]\n{}`;
    expect(parseReply(choose('end'), react.outputs)).toMatchObject({ kind: 'illegal_choice', value: 'end' });
    expect(parseReply(choose("'finish'"), react.outputs).kind).toBe('fields');
  });

  it('can have a plan as a JSON list', () => {
    const reply = parseReply('{"reasoning": "", "next_steps": ["1. Look", "2. Tell"]}', plan.outputs);
    expect(reply.kind === 'fields' && reply.fields.texts.get('next_steps')).toBe('1. Look\n2. Tell');
  });
});

describe('a literal', () => {
  it.each([
    ["{'a': True, 'b': None}", '{"a": true, "b": null}'],
    ["['it\\'s', \"it's\", 'say \"x\"']", '["it\'s", "it\'s", "say \\"x\\""]'],
    ['[1, 2.0, ]', '[1, 2.0]'],
    ['{"command": "a\nb"}', '{"command": "a\\nb"}'],
  ])('is parsed as by Python: %s', (text, json) => {
    const value = parseLiteral(text);
    expect(value === undefined ? undefined : dumpJson(value)).toBe(json);
  });

  it('is found within a text if it is an object', () => {
    const object = parseLooseObject('Here: {"command": "x"} as asked.');
    expect(object && dumpJson(object)).toBe('{"command": "x"}');
  });
});
