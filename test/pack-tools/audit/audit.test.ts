import { describe, expect, it } from 'vitest';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { auditPack } from '../../../src/pack-tools/audit/index.ts';
import { inspectPack } from '../../../src/benchmarks/testing.ts';
import {
  action,
  airline,
  CANCEL,
  dict,
  FIND_ADA,
  findings,
  moveHome,
  READ_ADA,
  READ_LAMPS,
  READ_ORDER,
  shop,
  task,
} from './shop.ts';

describe('the audit of a pack', () => {
  it('finds a task that another split has too', () => {
    expect(findings({ dev: [task()], test: [task()] })).toMatchObject([
      { kind: 'duplicate-task', split: 'test', task: 0, text: 'The task is task 0 of the split dev once more.' },
    ]);
  });

  it('reports how a figure was found', () => {
    const how = (output: string, actions = task().actions) =>
      findings({ test: [task({ outputs: [output], actions })] }).find(({ kind }) => kind === 'derived-output')
        ?.evidence;
    expect(how('20.50')).toEqual(['20.5, spelt otherwise']);
    expect(how('2')).toEqual(['the number of entries of items']);
    expect(how('12.75')).toEqual(['33.25 - 20.5']);
    expect(how('74.25')).toEqual(['20.5 + 53.75']);
    expect(how('123')).toEqual(['6 * 20.5']);
    expect(how('53.750')).toBeUndefined();
    const product = [READ_ADA, READ_ORDER, READ_LAMPS, CANCEL];
    expect(how('102.74', product)).toEqual(['the total of variants by price (102.74)']);
    expect(how('38.01', product)).toEqual(['33.25 + 53.75 - 48.99, of 4 figures: perhaps by chance']);
    const second = action('cancel_pending_order', { order_id: '#W6000003', reason: 'no longer needed' });
    expect(how('41', [READ_ADA, CANCEL, second])).toEqual(['the total of items[first].price over 2 calls (41)']);
  });

  it('takes a figure with a long tail for the same figure', () => {
    const sum = action('calculate', { expression: '5.00 + 0.28' });
    const tasks = (output: string) => ({ test: [task({ actions: [sum, ...task().actions], outputs: [output] })] });
    const kinds = (output: string) => {
      const pack = shop(tasks(output));
      const tables = dumpJson(pack.tables).replaceAll('Flat 3', '5.280000000000001');
      return auditPack({ ...pack, tables: dict(JSON.parse(tables) as object) })?.findings.map(({ kind }) => kind);
    };
    expect(kinds('5.28')).toEqual([]);
    expect(kinds('5.2')).toContain('ambiguous-output');
  });

  it('takes a date in other words for said, and a zip code in other digits not', () => {
    const wanted = (instruction: string, zip: string) =>
      findings({
        test: [
          task({
            instruction: `${instruction} Also ada@example.org, W6000001.`,
            actions: [FIND_ADA, READ_ADA, READ_ORDER, moveHome({ zip }), CANCEL],
          }),
        ],
      }).map(({ severity }) => severity);
    expect(wanted('You were born on March 4, 1986.', '1986-03-04')).toEqual(['suspicious']);
    expect(wanted('You were born in March.', '1986-03-04')).toEqual(['wrong']);
  });

  it('counts what doing nothing solves, and what cannot be right', () => {
    const report = auditPack(
      shop({
        test: [
          task(),
          task({ instruction: 'ada@example.org', actions: [] }),
          task({ instruction: 'Ada@example.org!', actions: [READ_ORDER], outputs: ['1,0'] }),
          task({ instruction: 'Hm, ada@example.org', actions: [FIND_ADA], outputs: [] }),
        ],
      }),
    );
    expect(report?.splits).toEqual([
      { split: 'test', tasks: 4, doNothing: [1, 3], floor: 0.5, unchanged: [1, 2, 3], wrong: [2], ceiling: 0.75 },
    ]);
    expect(report?.counts).toEqual({ wrong: 1, suspicious: 0, remark: 3 });
  });

  it('finds a call that the environment does not survive, and verifying survives it', () => {
    const gift = action('send_certificate', { user_id: 'ada_lind_6606', amount: 50 });
    const pack = airline({
      test: [task({ instruction: 'You are ada_lind_6606.', actions: [gift, gift, gift, gift] })],
    });
    expect(auditPack(pack)?.findings).toMatchObject([
      { kind: 'failing-call', severity: 'wrong', text: expect.stringContaining('ends the episode ungraded') as string },
    ]);
    expect(inspectPack('/memory', pack).summary.splits).toMatchObject([{ withErrors: [0] }]);
  });

  it('cannot say anything about a domain without an environment', () => {
    expect(auditPack({ ...shop({ test: [task()] }), domain: 'hospital' })).toBeNull();
  });
});
