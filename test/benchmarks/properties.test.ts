/** Properties of any sequence of calls, sensible or damaged, in both domains. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyAction,
  foldActions,
  openOverlay,
  grade,
  dataHash,
  sameState,
  StepRaised,
  RESPOND,
  type EnvData,
  type Overlay,
  type Action,
  type Task,
} from '../../src/benchmarks/index.ts';
import { dumpJson, parseJson, isDict } from '../../src/benchmarks/python/index.ts';
import { airlineCalls } from '../conformance/differential/airline-calls.ts';
import { sequences, type CallsOf } from '../conformance/differential/calls.ts';
import { retailCalls } from '../conformance/differential/retail-calls.ts';
import { airport, frozen, createHasher, sha256, shop } from './helpers.ts';

/** The same data, and actions on them, which nobody can change unseen. */
const DOMAINS: readonly (readonly [name: string, data: EnvData, calls: CallsOf])[] = [
  ['retail', { ...shop, tables: frozen(shop.tables) }, retailCalls],
  ['airline', { ...airport, tables: frozen(airport.tables) }, airlineCalls],
];

describe.each(DOMAINS)('%s', (_, data, domain) => {
  const actions: fc.Arbitrary<readonly Action[]> = sequences(domain, data.tables).map((sent) =>
    sent.map(({ name, kwargs }) => ({ name, kwargs: readArguments(kwargs) })),
  );
  const untouched = dumpJson(data.tables);
  const hash = (state: Overlay): string => dataHash(data, state, sha256);

  /** The environment's observation, or the exception that it raises. */
  function step(state: Overlay, action: Action): string {
    try {
      return applyAction(data, state, action).observation;
    } catch (error) {
      if (error instanceof StepRaised) return `raised ${error.type}`;
      throw error;
    }
  }

  function play(sequence: readonly Action[]): { observations: string[]; hash: string } {
    const state = openOverlay(data);
    return { observations: sequence.map((action) => step(state, action)), hash: hash(state) };
  }

  it('answers step by step as when everything before is folded again for each step', () => {
    fc.assert(
      fc.property(actions, (sequence) => {
        const stepwise = play(sequence);
        const folded = sequence.map((action, at) => step(foldActions(data, sequence.slice(0, at)), action));
        expect(folded).toEqual(stepwise.observations);
        expect(hash(foldActions(data, sequence))).toBe(stepwise.hash);
      }),
    );
  });

  it('lets no episode see what another one wrote, however their steps are mixed', () => {
    fc.assert(
      fc.property(actions, actions, fc.infiniteStream(fc.boolean()), (a, b, turns) => {
        const states = [openOverlay(data), openOverlay(data)] as const;
        const seen: [string[], string[]] = [[], []];
        const left: [Action[], Action[]] = [[...a], [...b]];
        while (left[0].length + left[1].length > 0) {
          const who = left[0].length > 0 && (left[1].length === 0 || turns.next().value === true) ? 0 : 1;
          const action = left[who].shift();
          if (action !== undefined) seen[who].push(step(states[who], action));
        }
        expect({ observations: seen[0], hash: hash(states[0]) }).toEqual(play(a));
        expect({ observations: seen[1], hash: hash(states[1]) }).toEqual(play(b));
      }),
    );
  });

  it('gives the same observations and the same hash when replayed', () => {
    fc.assert(
      fc.property(actions, (sequence) => {
        expect(play(sequence)).toEqual(play(sequence));
      }),
    );
  });

  it('starts every episode from the same data, which no call and no grading changes', () => {
    fc.assert(
      fc.property(actions, actions, (sequence, truth) => {
        play(sequence);
        grade(data, task(truth), sequence, { hash: createHasher(data) });
        expect(dumpJson(data.tables)).toBe(untouched);
      }),
    );
  });

  it('leaves the state as it was where it says that nothing changed, and needs only the other steps', () => {
    fc.assert(
      fc.property(actions, (sequence) => {
        const state = openOverlay(data);
        const writes: Action[] = [];
        for (const action of sequence) {
          const before = state.copy();
          if (isWrite(state, action)) writes.push(action);
          else {
            expect(sameState(data, state, before)).toBe(true);
            expect(hash(state)).toBe(hash(before));
          }
        }
        expect(hash(foldActions(data, writes))).toBe(hash(state));
      }),
    );
  });

  it('never changes the arguments that it is given, not even in later steps', () => {
    fc.assert(
      fc.property(actions, (sequence) => {
        const given = sequence.map(({ name, kwargs }) => ({ name, kwargs: frozen(kwargs) }));
        play(given);
        expect(given.map(({ kwargs }) => dumpJson(kwargs))).toEqual(sequence.map(({ kwargs }) => dumpJson(kwargs)));
      }),
    );
  });

  it('grades alike however often it is asked, and takes the ground truth itself for right', () => {
    const told = fc.constantFrom<readonly string[]>([], ['10'], ['1010', 'é']);
    fc.assert(
      fc.property(actions, actions, told, (sequence, truth, outputs) => {
        const spoken: Action = { name: RESPOND, kwargs: new Map([['content', 'It is $1,010.']]) };
        const graded = grade(data, task(truth, outputs), [...sequence, spoken], { hash: createHasher(data) });
        expect(grade(data, task(truth, outputs), [...sequence, spoken], { hash: createHasher(data) })).toEqual(graded);
        expect(grade(data, task(truth), truth, { hash: createHasher(data) })).toMatchObject({ grade: { reward: 1 } });
      }),
    );
  });

  /** The step's own report; a step that raises has none. */
  function isWrite(state: Overlay, action: Action): boolean {
    try {
      return applyAction(data, state, action).changed;
    } catch (error) {
      if (error instanceof StepRaised) return true;
      throw error;
    }
  }
});

function task(actions: readonly Action[], outputs: readonly string[] = []): Task {
  return { userId: '', instruction: '', actions, outputs };
}

function readArguments(text: string): Action['kwargs'] {
  const kwargs = parseJson(text);
  if (!isDict(kwargs)) throw new Error('arguments are an object');
  return kwargs;
}
