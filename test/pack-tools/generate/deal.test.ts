import { describe, expect, it } from 'vitest';
import type { EnvData } from '../../../src/benchmark/environment.ts';
import { LEVELS } from '../../../src/pack-tools/generate/level.ts';
import { Random } from '../../../src/pack-tools/generate/random.ts';
import { dealTasks, type DealOptions } from '../../../src/pack-tools/generate/tasks/deal.ts';
import type { Dealer, Family } from '../../../src/pack-tools/generate/tasks/dealer.ts';
import { literal, named } from '../../../src/pack-tools/generate/tasks/ground.ts';
import { Script } from '../../../src/pack-tools/generate/tasks/script.ts';
import { Stage } from '../../../src/pack-tools/generate/tasks/stage.ts';
import { tell } from '../../../src/pack-tools/generate/tasks/told.ts';
import { DECKS as AIRLINE } from '../../../src/pack-tools/generate/airline/tasks/deck.ts';
import { DECKS as RETAIL } from '../../../src/pack-tools/generate/retail/tasks/deck.ts';

interface Customer {
  readonly id: string;
}

type ThisFamily = Family<Stage<null>, Customer>;

const ada: Customer = { id: 'ada_1' };
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

function dealerOf(family: ThisFamily): Dealer<null, Stage<null>, Customer> {
  const identity = named({ text: 'You are ada_1.', value: ada, argument: 'ada_1', candidates: () => ['ada_1'] });
  return {
    decks: { easy: [family], medium: [family], hard: [family] },
    spare: [],
    companions: [],
    wishes: [],
    open: (parts) => new Stage(parts),
    narrow: (stage) => stage,
    introduce: () => ({ text: 'You are ada_1.', identity }),
    size: () => 1,
  };
}

function deal(family: ThisFamily, options: Partial<DealOptions> = {}) {
  const setting = { world: null, data, dealer: dealerOf(family) };
  return dealTasks(new Random('deal'), setting, {
    count: 1,
    level: LEVELS.medium,
    stride: 1,
    taken: new Set(),
    ...options,
  });
}

describe('dealing tasks', () => {
  const nobody: ThisFamily = () => undefined;

  it('gives up with a way out when there is nobody for whom a task fits', () => {
    expect(() => deal(nobody)).toThrow('1 customers are too few for 1 different tasks; ask for more customers.');
  });

  it('gives up as well when all that is drawn has been dealt before', () => {
    const same: ThisFamily = () => {
      const script = new Gift();
      script.give(5n, 'a fiver');
      return { customer: ada, script, goal: tell`You want ${literal(5n, 'a fiver')}.` };
    };
    expect(deal(same)).toHaveLength(1);
    expect(() => deal(same, { count: 2 })).toThrow('too few for 2 different tasks');
  });

  it('throws a task away that cannot be proven, tells of it, and keeps the next one', () => {
    let draws = 0;
    const unsure: ThisFamily = () => {
      draws++;
      const script = new Gift();
      script.give(5n, draws === 1 ? 'some money' : 'a fiver');
      return { customer: ada, script, goal: tell`You want ${literal(5n, 'a fiver')}.` };
    };
    const heard: (readonly string[])[] = [];
    const [task] = deal(unsure, { witness: (_family, _claim, faults) => heard.push(faults) });
    expect(heard).toEqual([['the instruction does not say "some money"'], []]);
    expect(task).toMatchObject({ user_id: 'ada_1', outputs: [] });
  });
});

describe('decks', () => {
  const sizes = [RETAIL, AIRLINE].flatMap(({ easy, medium, hard }) => [easy.length, medium.length, hard.length]);

  it.each(sizes)('of %i families are all reached by both strides', (size) => {
    expect(new Set(Array.from({ length: size }, (_, i) => (i * 13) % size)).size).toBe(size);
  });
});
