import { beforeAll, describe, expect, it } from 'vitest';
import {
  generatePack,
  type Difficulty,
  type GenerateOptions,
  type Claim,
} from '../../packages/task-generator/src/testing.ts';
import { manifestText, inspectPack } from '../../src/benchmarks/testing.ts';
import { make, type Made } from './claims.ts';

const TASKS = 120;

describe.each(['retail', 'airline'])('difficulty of %s tasks', (env) => {
  const made = new Map<Difficulty, Made>();
  const claims = (difficulty: Difficulty): Claim[] => Array.from(made.get(difficulty)?.kept.values() ?? []).flat();
  const share = (difficulty: Difficulty, test: (claim: Claim) => boolean): number =>
    claims(difficulty).filter(test).length / claims(difficulty).length;
  const crowd = (difficulty: Difficulty): number => {
    const pack = made.get(difficulty)?.pack;
    const { records } = inspectPack('made', pack ?? failed()).summary;
    return (records['orders'] ?? records['reservations'] ?? 0) / (records['users'] ?? 1);
  };

  beforeAll(() => {
    for (const difficulty of ['easy', 'medium', 'hard'] as const) {
      made.set(difficulty, make({ env, seed: 41, tasks: TASKS, devTasks: 1, difficulty }));
    }
  });

  it('gives easy users one goal each, that is granted', () => {
    expect(share('easy', ({ goals }) => goals.length === 1)).toBe(1);
    expect(share('easy', ({ goals }) => goals.every(({ ending }) => ending === 'served'))).toBe(1);
  });

  it('names things by their numbers in easy tasks, and describes them the more the harder tasks are', () => {
    const described = ({ instruction }: Claim): boolean =>
      /number escapes you|lost its number|not have its number|no reservation number|no numbers at hand/.test(
        instruction,
      );
    expect(share('easy', described)).toBe(0);
    expect(share('medium', described)).toBeGreaterThan(0.15);
    expect(share('hard', described)).toBeGreaterThan(share('medium', described) + 0.1);
  });

  it('compares things in hard tasks only', () => {
    const compared = ({ instruction }: Claim): boolean =>
      /of your two \w+ orders|has cost you (most|least)/.test(instruction);
    expect(share('easy', compared) + share('medium', compared)).toBe(0);
    expect(share('hard', compared)).toBeGreaterThan(0.1);
  });

  it('gives hard users several goals, and changes of mind', () => {
    const dropped = ({ instruction }: Claim): boolean => instruction.includes('You begin with something else');
    expect(share('medium', ({ goals }) => goals.length > 1)).toBe(0);
    expect(share('medium', dropped)).toBe(0);
    expect(share('hard', ({ goals }) => goals.length > 1)).toBeGreaterThan(0.25);
    expect(share('hard', ({ goals }) => goals.length > 2)).toBeGreaterThan(0.03);
    expect(share('hard', dropped)).toBeGreaterThan(0.15);
  });

  it('rests nothing on what a user has dropped', () => {
    const dropped = claims('hard').filter(({ instruction }) => instruction.includes('You begin with something else'));
    for (const { instruction, goals } of dropped) {
      const [, wanted = ''] = instruction.split('What you want in truth is this.');
      for (const text of goals.flatMap(({ grounds }) => grounds.flatMap(({ texts }) => texts))) {
        expect(wanted).toContain(text);
      }
    }
  });

  it('refuses more in hard tasks, and nothing in easy ones', () => {
    const refused = ({ goals }: Claim): boolean => goals.some(({ ending }) => ending !== 'served');
    expect(share('easy', refused)).toBe(0);
    expect(share('medium', refused)).toBeGreaterThan(0.08);
    expect(share('hard', refused)).toBeGreaterThan(share('medium', refused));
  });

  it('surrounds what is meant with more of its kind', () => {
    expect(crowd('easy')).toBeCloseTo(1.5, 1);
    expect(crowd('medium')).toBeCloseTo(2.5, 1);
    expect(crowd('hard')).toBeCloseTo(4, 1);
  });
});

describe.each(['retail', 'airline'])('sizes of %s packs', (env) => {
  it.each([10, 400])('%i tasks are as many different ones, and verify', (tasks) => {
    const { pack, kept, generated } = make({ env, seed: 5, tasks });
    expect(Array.from(kept.values()).flat()).toHaveLength(tasks + 8);
    const instructions = Object.values(pack.splits).flatMap((split) => split.map((task) => task.instruction));
    expect(new Set(instructions).size).toBe(tasks + 8);
    const { warnings, summary } = inspectPack('made', pack);
    expect(warnings).toEqual([]);
    const fewest = env === 'retail' ? 64 : 48;
    expect(summary.records['users']).toBe(Math.max(fewest, Math.ceil((tasks + 8) * 0.75)));
    expect(generated.manifest.source).toContain(`--tasks ${String(tasks)} --dev-tasks 8 --customers`);
  });

  it('can be made again from what the manifest says', () => {
    const first = generatePack({ env, seed: 77, tasks: 12, devTasks: 2, difficulty: 'hard' });
    const again = generatePack(optionsOf(first.manifest.source));
    expect(manifestText(again.manifest)).toBe(manifestText(first.manifest));
  });

  /** The options in a command as manifests have it. */
  function optionsOf(source: string): GenerateOptions {
    const flags = Array.from(source.matchAll(/--([a-z-]+) (\S+)/g), ([, flag = '', value = '']) => {
      const option = flag.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      return [option, /^\d+$/.test(value) ? Number(value) : value] as const;
    });
    return Object.fromEntries(flags);
  }
});

function failed(): never {
  throw new Error('no pack was made');
}
