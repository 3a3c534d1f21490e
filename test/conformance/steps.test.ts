import { describe, expect, it } from 'vitest';
import { applyAction, openOverlay, sameState, RESPOND } from '../../src/benchmarks/index.ts';
import { parseJson, isDict, type PyDict } from '../../src/benchmarks/python/index.ts';
import { createHasher, field, items, readAction, readDomain, text } from '../benchmarks/helpers.ts';
import { describeWithReference, referenceLines } from '../helpers/reference.ts';
import { COUNTS, type Recording } from './counts.ts';

const DOMAINS: readonly { domain: string; splits: Recording[]; edge: Recording; tools: number }[] = [
  { domain: 'retail', splits: ['retail-test.jsonl', 'retail-dev.jsonl'], edge: 'retail-edge.jsonl', tools: 16 },
  { domain: 'airline', splits: ['airline-test.jsonl'], edge: 'airline-edge.jsonl', tools: 14 },
];

describe.each(DOMAINS)('$domain', ({ domain, splits, edge, tools }) => {
  describeWithReference('steps', (dir) => {
    const data = readDomain(dir, domain);
    const hashOf = createHasher(data);
    const cases = (file: Recording) => {
      const recorded = referenceLines(dir, `golden/${file}`).map((line) => parseJson(line) as PyDict);
      expect(recorded.length).toBe(COUNTS[file].equal);
      return recorded;
    };

    /** Takes a recording's steps and compares all that the environment answers. */
    function replay(recorded: PyDict): void {
      const overlay = openOverlay(data);
      for (const step of items(field(recorded, 'steps'))) {
        const action = readAction(step);
        // What the user says, and what stops the reference before a tool is reached, is not the environment's.
        if (action.name === RESPOND) continue;
        const before = overlay.copy();
        const raised = isDict(step) ? step.get('raised') : undefined;
        if (raised !== undefined) {
          expect(() => applyAction(data, overlay, action)).toThrow(text(field(raised, 'message')));
          continue;
        }
        const { observation, source, changed } = applyAction(data, overlay, action);
        expect({ observation, source }).toEqual({ observation: field(step, 'observation'), source: action.name });
        if (!changed) expect(sameState(data, overlay, before)).toBe(true);
      }
      expect(hashOf(overlay)).toBe(field(recorded, 'data_hash'));
    }

    it('start from the same data', () => {
      const hashes = field(parseJson(referenceLines(dir, 'golden/header.json').join('')), 'initial_data_hash');
      expect(isDict(hashes) && hashes.size).toBe(COUNTS['header.json'].equal);
      expect(hashOf(openOverlay(data))).toBe(field(hashes, domain));
    });

    it.each(splits)('give the recorded observations and data of the ground truth in %s', (file) => {
      for (const one of cases(file)) replay(one);
    });

    it('give the recorded observations and data in every designed case', () => {
      const failed: string[] = [];
      for (const one of cases(edge)) {
        try {
          replay(one);
        } catch (error) {
          failed.push(`${text(field(one, 'name'))}: ${String(error)}`);
        }
      }
      expect(failed).toEqual([]);
    });

    it('calculate as the reference does', () => {
      const failed: string[] = [];
      for (const one of cases('calculate.jsonl')) {
        const kwargs = new Map([['expression', field(one, 'expression')]]);
        const { observation } = applyAction(data, openOverlay(data), { name: 'calculate', kwargs });
        if (observation !== one.get('observation')) failed.push(text(field(one, 'expression')));
      }
      expect(failed).toEqual([]);
    });

    it('know exactly the tools that the reference describes', () => {
      const described = items(parseJson(referenceLines(dir, `${domain}/tools.json`).join('\n')));
      for (const tool of described) {
        const schema = field(tool, 'function');
        const parameters = field(field(schema, 'parameters'), 'properties');
        const name = text(field(schema, 'name'));
        const names = isDict(parameters) ? Array.from(parameters.keys()) : [];
        const { observation } = applyAction(data, openOverlay(data), { name, kwargs: new Map() });
        for (const parameter of names) expect(observation).toContain(`'${parameter}'`);
      }
      expect(described.length).toBe(tools);
    });
  });
});
