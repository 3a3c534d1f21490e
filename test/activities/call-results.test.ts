import { expect, it } from 'vitest';
import { CallResults } from '../../activities/testing.ts';

const ONE = { workflowExecution: { workflowId: 'run/task-1/trial-0', runId: 'a' } };
const OTHER = { workflowExecution: { workflowId: 'run/task-1/trial-0', runId: 'b' } };
const HI = { observation: 'Hi', done: false };
const BYE = { observation: 'Bye', done: true };

it('hands a result over once, to the request of its episode', () => {
  const results = new CallResults();
  const [one, other] = [results.open(ONE), results.open(OTHER)];
  results.leave(ONE, () => 'x', HI);
  results.leave(ONE, () => 'y', BYE);
  expect(other.take('x')).toBeUndefined();
  expect([one.take('x'), one.take('y'), one.take('x')]).toEqual([HI, BYE, undefined]);
});

it('a worker keeps no result after its request', () => {
  const results = new CallResults();
  const name = () => {
    throw new Error('nobody asks for it');
  };
  results.leave(ONE, name, HI);
  const one = results.open(ONE);
  results.leave(ONE, () => 'x', HI);
  one.close();
  expect(one.take('x')).toBeUndefined();
  results.leave(ONE, name, HI);
});

it('goes on for the next attempt when the one before ends late', () => {
  const results = new CallResults();
  const [lost, next] = [results.open(ONE), results.open(ONE)];
  lost.close();
  results.leave(ONE, () => 'x', HI);
  expect(next.take('x')).toEqual(HI);
});
