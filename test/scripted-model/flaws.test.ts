import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fastWorkflow } from '../../src/agents/fastworkflow/index.ts';
import { toolCalling } from '../../src/agents/testing.ts';
import type { Task } from '../../src/benchmarks/index.ts';
import { effectiveActions, judgeTask, type FlawKind } from '../../src/scripted-model/testing.ts';
import { askResponder, playEpisode } from './episodes.ts';
import {
  CANCEL,
  dict,
  indexed,
  isRewarded,
  LOOK_UP,
  newResponder,
  play,
  RETURN,
  task,
  tinyPack,
  TRANSFER,
} from './helpers.ts';

const tasks: readonly Task[] = [
  task('Cancel and return.', [LOOK_UP, CANCEL, RETURN]),
  task('How much is it?', [LOOK_UP], ['54.04', 'Blue']),
  task('Do what cannot be done.', []),
  task('Cancel, then get me a person.', [CANCEL, TRANSFER]),
  task('Pay.', [{ name: 'pay', kwargs: dict({ order_id: '#W9', amount: 10 }) }], ['10']),
];
const pack = tinyPack(tasks);
const responder = newResponder(pack);
const code = (taskId: number, seed: number) => ({ packKey: 'shop-3fa91c', split: 'test', taskId, seed });
const anyTask = fc.nat({ max: tasks.length - 1 });

describe('oracle with a success rate', () => {
  it('errs in as many episodes as it says', () => {
    const flawed = Array.from({ length: 2000 }, (_, seed) => responder.findFlaw(code(seed % 5, seed), 0.8)).filter(
      Boolean,
    );
    expect(flawed.length / 2000).toBeGreaterThan(0.17);
    expect(flawed.length / 2000).toBeLessThan(0.23);
  });

  it('never errs at rate 1 and always at rate 0', () => {
    fc.assert(
      fc.property(anyTask, fc.nat(), (taskId, seed) => {
        expect(responder.findFlaw(code(taskId, seed), 1)).toBeNull();
        expect(responder.findFlaw(code(taskId, seed), 0)).not.toBeNull();
      }),
    );
  });

  it('makes the same mistake again wherever it is asked', () => {
    fc.assert(
      fc.property(anyTask, fc.nat(), (taskId, seed) => {
        const other = newResponder(tinyPack(tasks));
        expect(other.script(code(taskId, seed), 0.5)).toEqual(responder.script(code(taskId, seed), 0.5));
      }),
    );
  });

  it('makes no mistake at a higher rate that it does not make at a lower one', () => {
    fc.assert(
      fc.property(anyTask, fc.nat(), (taskId, seed) => {
        const flaw = responder.findFlaw(code(taskId, seed), 0.8);
        if (flaw !== null) expect(responder.findFlaw(code(taskId, seed), 0.3)).toEqual(flaw);
      }),
    );
  });

  it('makes only mistakes that cost the reward', () => {
    fc.assert(
      fc.property(anyTask, fc.nat(), (taskId, seed) => {
        const { moves } = responder.script(code(taskId, seed), 0);
        expect(judgeTask(indexed(pack, 'test', taskId), effectiveActions(moves))).toBe(false);
      }),
    );
  });

  const kindsOf = (taskId: number) =>
    new Set(Array.from({ length: 200 }, (_, seed) => responder.findFlaw(code(taskId, seed), 0)?.kind));

  it('makes every kind of mistake', () => {
    const all: FlawKind[] = ['skipped_write', 'wrong_argument', 'wrong_tool', 'gave_up', 'malformed_arguments'];
    expect(kindsOf(0)).toEqual(new Set(all));
    expect(kindsOf(1)).toEqual(new Set(['gave_up', 'wrong_answer']));
    expect(kindsOf(2)).toEqual(new Set(['unasked_write']));
  });

  it('swaps a choice for another that the tool allows', () => {
    const reasons = Array.from({ length: 300 }, (_, seed) => responder.script(code(3, seed), 0))
      .filter(({ flaw }) => flaw?.kind === 'wrong_argument' && flaw.detail.includes('reason'))
      .flatMap(({ moves }) =>
        moves.flatMap((move) => (move.kind === 'call' ? [move.action.kwargs.get('reason')] : [])),
      );
    expect(new Set(reasons)).toEqual(new Set(['ordered by mistake', undefined]));
  });

  it('breaks the arguments of one call, and the tool-calling episode ends there', () => {
    const seed = Array.from({ length: 300 }, (_, i) => i).find(
      (i) => responder.findFlaw(code(0, i), 0)?.kind === 'malformed_arguments',
    );
    const { at = -1 } = responder.findFlaw(code(0, seed ?? -1), 0) ?? {};
    const opening = `Hi. [case shop-3fa91c/test/0 s${seed}]`;
    const done = Array.from({ length: at }, () => ({ role: 'assistant', content: 'x' }));
    const messages = [{ role: 'user', content: opening }, ...done];
    const tools = [{ type: 'function', function: { name: 'think' } }];
    const { toolCall } = play(responder, { model: 'oracle:0', messages, tools });
    expect(() => JSON.parse(toolCall?.arguments ?? '') as unknown).toThrow();
    const next = [...messages, { role: 'assistant', content: 'x' }];
    const after = play(responder, { model: 'oracle:0', messages: next, tools }).toolCall?.arguments ?? '{}';
    expect(() => JSON.parse(after) as unknown).not.toThrow();
  });

  it.each([toolCalling, fastWorkflow])('fails and succeeds in the same episodes under $name', async (strategy) => {
    for (let seed = 0; seed < 60; seed++) {
      const taskId = [0, 3][seed % 2] ?? 0;
      const plan = { pack, split: 'test', taskId, seed, strategy, ask: askResponder(responder, 'oracle:0.5') };
      const isFlawless = responder.findFlaw(code(taskId, seed), 0.5) === null;
      expect(isRewarded(plan, await playEpisode(plan))).toBe(isFlawless);
    }
  });
});
