import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderObsForAgent } from '../../../src/agents/fastworkflow/bridge.ts';
import { applyAction, openOverlay } from '../../../src/benchmark/environment.ts';
import { dumpJson, parseJson } from '../../../src/benchmark/python/json.ts';
import { isDict, isList, type PyValue } from '../../../src/benchmark/python/value.ts';
import { RESPOND } from '../../../src/benchmark/types.ts';
import { field, pyValues, readDomain, readTasks } from '../../benchmark/helpers.ts';
import { describeWithReference } from '../../helpers/reference.ts';

const render = (observation: string, source = 'calculate', done = false) =>
  renderObsForAgent({ observation, info: { source, done } });

/** The same value with the keys of every object in the opposite order. */
function reversed(value: PyValue): PyValue {
  if (isList(value)) return value.map(reversed);
  if (!isDict(value)) return value;
  return new Map(Array.from(value, ([key, item]) => [key, reversed(item)] as const).reverse());
}

describe('the agent reads a step as JSON', () => {
  it('with its keys in order, at every level, and numbers in their own spelling', () => {
    expect(render('{"zip": 131, "a": {"c": 131.0, "b": [{"z": 1e3, "y": -0.0}]}}', 'get_order_details')).toBe(
      '{"done": false, "observation": {"a": {"b": [{"y": -0.0, "z": 1000.0}], "c": 131.0}, "zip": 131}, ' +
        '"source": "get_order_details"}',
    );
    expect(render('[{"b": 1, "a": 2}]')).toBe(
      '{"done": false, "observation": [{"a": 2, "b": 1}], "source": "calculate"}',
    );
  });

  it('with any other text as a text, numbers and words of JSON too', () => {
    for (const text of ['20.0', 'null', '"quoted"', 'Error: order not found', '', '{"cut short": ', '[1] item']) {
      expect(parseJson(render(text, 'x', true))).toEqual(
        new Map<string, PyValue>([
          ['done', true],
          ['observation', text],
          ['source', 'x'],
        ]),
      );
    }
  });

  it('with letters of any language as they are, and control characters escaped', () => {
    expect(render('Grüße, 東京 🙂\n')).toBe(
      '{"done": false, "observation": "Grüße, 東京 🙂\\n", "source": "calculate"}',
    );
    expect(render('{"\\u00fc": "\\u6771 \\u0007 \\\\u00fc"}')).toBe(
      '{"done": false, "observation": {"ü": "東 \\u0007 \\\\u00fc"}, "source": "calculate"}',
    );
  });

  it('alike for equal observations, however their keys are ordered', () => {
    fc.assert(
      fc.property(pyValues, (value) => {
        expect(render(dumpJson({ value: reversed(value) }))).toBe(render(dumpJson({ value })));
      }),
    );
  });

  it('without losing anything of it', () => {
    fc.assert(
      fc.property(pyValues, (value) => {
        const read = field(field(parseJson(render(dumpJson({ value }))), 'observation'), 'value');
        expect(read).toEqual(value);
      }),
    );
  });

  it('without anything but the three fields, whatever else it is handed', () => {
    const info = {
      source: 'user',
      done: true,
      task: { instruction: 'You want a refund.' },
      reward_info: { reward: 1 },
    };
    const step = { observation: 'ok', info, reward: 1, timestamp: '2024-05-15' };
    expect(renderObsForAgent(step)).toBe('{"done": true, "observation": "ok", "source": "user"}');
  });
});

describeWithReference('What the agent reads on the benchmark’s ground truth', (dir) => {
  const data = readDomain(dir, 'retail');

  it.each([
    ['test', 500],
    ['dev', 25],
  ])('holds nothing of the task but what the tool said (%s)', (split, least) => {
    let steps = 0;
    for (const task of readTasks(dir, 'retail', split)) {
      const overlay = openOverlay(data);
      for (const action of task.actions) {
        if (action.name === RESPOND) continue;
        const { observation, source, done } = applyAction(data, overlay, action);
        const text = renderObsForAgent({ observation, info: { source, done } });
        const said = /^[[{]/.test(observation) ? parseJson(observation) : observation;
        expect(parseJson(text)).toEqual(
          new Map<string, PyValue>([
            ['done', done],
            ['observation', said],
            ['source', action.name],
          ]),
        );
        expect(text).not.toContain(task.instruction.trim().slice(0, 40));
        expect(text).not.toMatch(/"(reward|reward_info|gt_data_hash|r_actions|instruction|task|user_cost)"/);
        steps++;
      }
    }
    expect(steps).toBeGreaterThanOrEqual(least);
  });
});
