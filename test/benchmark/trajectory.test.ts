import { describe, expect, it } from 'vitest';
import { dumpJson } from '../../src/benchmark/python/json.ts';
import { actionsOf, type TrajectoryMessage } from '../../src/benchmark/trajectory.ts';

function actions(...messages: TrajectoryMessage[]): string[] {
  return actionsOf(messages).map(({ name, kwargs }) => `${name} ${dumpJson(kwargs)}`);
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

  it('takes the content for what is said to the user, also when there is none', () => {
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
