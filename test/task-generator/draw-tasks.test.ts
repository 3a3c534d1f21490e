import { describe, expect, it } from 'vitest';
import type { EnvData } from '../../src/benchmarks/index.ts';
import {
  LEVELS,
  Random,
  drawTasks,
  Script,
  DrawContext,
  literal,
  named,
  statement,
  airlineTasks,
  retailTasks,
  type DrawOptions,
  type TaskDomain,
  type Family,
} from '../../packages/task-generator/src/testing.ts';

interface Customer {
  readonly id: string;
}

type Context = DrawContext<Customer, typeof MODEL>;
type ThisFamily = Family<Context, Customer>;

const ada: Customer = { id: 'ada_1' };
const MODEL = { customers: [ada] };
const data: EnvData = {
  domain: 'airline',
  terminateTools: [],
  tables: new Map([
    ['flights', new Map()],
    ['reservations', new Map()],
    ['users', new Map([['ada_1', new Map([['payment_methods', new Map()]])]])],
  ]),
};

class Gift extends Script {
  give(amount: bigint, words: string): void {
    this.write('send_certificate', {
      user_id: { self: true, argument: 'ada_1' },
      amount: literal(amount, words),
    });
  }
}

function domainOf(family: ThisFamily): TaskDomain<typeof MODEL, Context, Customer> {
  const identity = named({ text: 'You are ada_1.', value: ada, argument: 'ada_1', candidates: () => ['ada_1'] });
  return {
    families: { family },
    cycles: { easy: ['family'], medium: ['family'], hard: ['family'] },
    spare: [],
    companions: [],
    droppable: [],
    open: (parts) => new DrawContext(parts),
    narrow: (context) => context,
    introduce: () => ({ text: 'You are ada_1.', identity }),
  };
}

function draw(family: ThisFamily, options: Partial<DrawOptions> = {}) {
  const setting = { model: MODEL, data, domain: domainOf(family) };
  return drawTasks(new Random('tasks'), setting, {
    count: 1,
    level: LEVELS.medium,
    stride: 1,
    taken: new Set(),
    ...options,
  });
}

describe('drawing tasks', () => {
  const nobody: ThisFamily = () => undefined;

  it('fails with advice when no user fits a task', () => {
    expect(() => draw(nobody)).toThrow('1 customers are too few for 1 different tasks; ask for more customers.');
  });

  it('fails when every task that is drawn has been drawn before', () => {
    const same: ThisFamily = () => {
      const script = new Gift();
      script.give(5n, 'a fiver');
      return { customer: ada, script, goal: statement`You want ${literal(5n, 'a fiver')}.` };
    };
    expect(draw(same)).toHaveLength(1);
    expect(() => draw(same, { count: 2 })).toThrow('too few for 2 different tasks');
  });

  it('discards a task that cannot be proven, reports it, and keeps the next one', () => {
    let draws = 0;
    const unsure: ThisFamily = () => {
      draws++;
      const script = new Gift();
      script.give(5n, draws === 1 ? 'some money' : 'a fiver');
      return { customer: ada, script, goal: statement`You want ${literal(5n, 'a fiver')}.` };
    };
    const heard: (readonly string[])[] = [];
    const [task] = draw(unsure, { onTask: (_family, _claim, faults) => heard.push(faults) });
    expect(heard).toEqual([['the instruction does not say "some money"'], []]);
    expect(task).toMatchObject({ user_id: 'ada_1', outputs: [] });
  });
});

describe('cycles', () => {
  const sizes = [retailTasks, airlineTasks].flatMap(({ cycles: { easy, medium, hard } }) => [
    easy.length,
    medium.length,
    hard.length,
  ]);

  it.each(sizes)('of %i families are all reached by both strides', (size) => {
    expect(new Set(Array.from({ length: size }, (_, i) => (i * 13) % size)).size).toBe(size);
  });
});
