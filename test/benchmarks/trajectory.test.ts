import { describe, expect, it } from 'vitest';
import { dumpJson, PyError } from '../../src/benchmarks/python/index.ts';
import { listActions, textActionOf, type ActingMessage } from '../../src/benchmarks/index.ts';
import { dict, field, items, text } from './helpers.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';

function actions(...messages: ActingMessage[]): string[] {
  return listActions(messages).map(({ name, kwargs }) => `${name} ${dumpJson(kwargs)}`);
}

const call = (name: string, text: string) => ({ function: { name, arguments: text } });

describe('actionsOf', () => {
  it('takes the first tool call of an assistant message, numbers as they were written', () => {
    const message = {
      role: 'assistant',
      content: 'aside',
      tool_calls: [call('pay', '{"x": 131.0}'), call('other', '{}')],
    };
    expect(actions({ role: 'system', content: 'x' }, message, { role: 'tool', content: 'y' })).toEqual([
      'pay {"x": 131.0}',
    ]);
  });

  it('uses the content as the message to the user, also if it is absent', () => {
    expect(
      actions(
        { role: 'assistant', content: 'Hello', tool_calls: null },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: null, tool_calls: [] },
        { role: 'assistant' },
      ),
    ).toEqual(['respond {"content": "Hello"}', 'respond {"content": null}', 'respond {"content": null}']);
  });

  it('refuses arguments that could never have been passed', () => {
    expect(() => actions({ role: 'assistant', tool_calls: [call('pay', '{')] })).toThrow('Expecting property name');
    expect(() => actions({ role: 'assistant', tool_calls: [call('pay', '[1]')] })).toThrow(
      'the arguments of the call of pay are not a JSON object',
    );
  });
});

const shown = (content: string) => {
  const { name, kwargs } = textActionOf(content);
  return `${name} ${dumpJson(kwargs)}`;
};

describe('textActionOf', () => {
  it('reads the JSON after the last marker, numbers as they were written', () => {
    expect(shown('Thought:\nAction: {"name": "x"}\nAction:\n{"name": "pay", "arguments": {"x": 131.0, "1": 2}}')).toBe(
      'pay {"x": 131.0, "1": 2}',
    );
  });

  it('sends a text that is not JSON to the user, without the marker and surrounding space', () => {
    expect(shown('Thought: hm\nAction: \u3000wait, please\n')).toBe('respond {"content": "wait, please"}');
    expect(shown('Action:\n```json\n{}\n```')).toBe('respond {"content": "```json\\n{}\\n```"}');
  });

  it('raises for JSON that is no action, and for numbers beyond what Python reads', () => {
    for (const content of ['{"name": "x"}', '7', '"name arguments"', '{"name": "x", "arguments": []}']) {
      expect(() => textActionOf(content)).toThrow(PyError);
    }
    expect(() => textActionOf(null)).toThrow("'NoneType' object has no attribute 'split'");
    expect(() => textActionOf('9'.repeat(5000))).toThrow('Exceeds the limit');
  });
});

describeWithReference('actions of the act and react agents', (dir) => {
  it('are the recorded ones', () => {
    let actions = 0;
    let raises = 0;
    for (const line of referenceLines(dir, 'golden/agent-loop.jsonl').map((text) => dict(text))) {
      const agent = text(field(line, 'agent'));
      if (agent !== 'act' && agent !== 'react') continue;
      const answers = items(field(line, 'model_answers')).slice(0, Number(field(line, 'n_asked')));
      const raised = line.get('raised');
      if (raised !== undefined) {
        const error = thrown(() => textActionOf(answers.at(-1) ?? null));
        expect(error.type).toBe(field(raised, 'type'));
        if (error.type === 'TypeError') expect(error.message).toBe(field(raised, 'message'));
        raises++;
        continue;
      }
      // At the end of the reference's list is the ground truth.
      const taken = items(field(line, 'actions_taken')).slice(0, answers.length);
      expect(answers.map(textActionOf).map(({ name, kwargs }) => [name, dumpJson(kwargs)])).toEqual(
        taken.map((action) => [field(action, 'name'), field(action, 'kwargs_json')]),
      );
      actions += answers.length;
    }
    expect({ actions, raises }).toEqual({ actions: 30, raises: 12 });
  });
});

function thrown(run: () => unknown): PyError {
  try {
    run();
  } catch (error) {
    if (error instanceof PyError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
