/** The audit of tasks of τ³-bench: small ones of our own, and the benchmark's where a machine has them. */

import { describe, expect, it } from 'vitest';

import { auditPack } from '../../../src/pack-tools/audit/index.ts';
import { tau3Importer } from '../../../src/pack-tools/import-tau3/index.ts';
import type { Pack } from '../../../src/benchmarks/packs/index.ts';
import { readPack, writePack } from '../../../src/benchmarks/packs/index.ts';
import { tau3CheckoutFiles, writeTau3Folder } from '../../helpers/tau3-checkout.ts';
import { scratchFolder } from '../../benchmarks/packs/folders.ts';

async function retailWith(criteria: object): Promise<Pack> {
  const files = tau3CheckoutFiles();
  const path = 'data/tau2/domains/retail/tasks.json';
  const tasks = JSON.parse(files[path] ?? '[]') as { evaluation_criteria: object }[];
  tasks.splice(0, tasks.length, ...tasks.map((task) => ({ ...task, evaluation_criteria: criteria })));
  const checkout = await writeTau3Folder(await scratchFolder(), { ...files, [path]: JSON.stringify(tasks) });
  const { packs } = await tau3Importer.read(checkout, 'it', { domains: ['tau3-retail'] });
  const folder = `${await scratchFolder()}/tau3-retail`;
  if (packs[0] === undefined) throw new Error('no pack');
  await writePack(folder, packs[0]);
  return readPack(folder);
}

const auditOf = async (criteria: object) => {
  const report = auditPack(await retailWith(criteria), ['base']);
  const [split] = report?.splits ?? [];
  return { split, findings: report?.findings.map(({ kind, severity, task }) => [kind, severity, task]) };
};

const cancel = { name: 'cancel_pending_order', arguments: { order_id: '#W1', reason: 'no longer needed' } };

describe('the audit of tasks of τ³-bench', () => {
  it('finds nothing wrong in a ground truth that is graded as good', async () => {
    const { split, findings } = await auditOf({
      actions: [{ action_id: '0', ...cancel }],
      communicate_info: ['10'],
      reward_basis: ['DB', 'COMMUNICATE', 'ACTION'],
    });
    expect(split).toMatchObject({ tasks: 2, floor: 0, ceiling: 1, unchanged: [], wrong: [] });
    expect(findings).toEqual([]);
  });

  it('finds tasks that are solved by doing nothing', async () => {
    const { split, findings } = await auditOf({ actions: [], communicate_info: [], reward_basis: ['DB'] });
    expect(split).toMatchObject({ floor: 1, ceiling: 1, doNothing: [0, 1], unchanged: [0, 1] });
    expect(findings).toEqual([
      ['do-nothing', 'remark', 0],
      ['do-nothing', 'remark', 1],
    ]);
  });

  it('finds ground truths that fail, and those that are not graded as good', async () => {
    const failing = { ...cancel, arguments: { ...cancel.arguments, order_id: '#W9' } };
    const { findings } = await auditOf({ actions: [{ action_id: '0', ...failing }], reward_basis: ['DB'] });
    expect(findings).toContainEqual(['failing-call', 'suspicious', 0]);
    const { split } = await auditOf({
      actions: [],
      env_assertions: [{ env_type: 'assistant', func_name: 'get_product_details', arguments: { product_id: 'P9' } }],
      reward_basis: ['ENV_ASSERTION'],
    });
    expect(split).toMatchObject({ ceiling: 0, wrong: [0, 1] });
  });
});
