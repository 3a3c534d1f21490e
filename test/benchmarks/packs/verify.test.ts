import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shippedPackFolder, verifyPack, type PackReport } from '../../../src/benchmarks/testing.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { editJson, scratchFolder, smallPack } from './folders.ts';

const texts = ({ warnings }: PackReport) => warnings.map(({ text }) => text);

describe('verifying a pack', () => {
  it('finds no problem in the shipped one', async () => {
    const report = await verifyPack((await shippedPackFolder('retail')) ?? '');
    expect(report).toMatchObject({ problems: [], warnings: [] });
    expect(report.summary?.splits).toMatchObject([
      { split: 'dev', tasks: 8, withErrors: [] },
      { split: 'test', tasks: 40, withErrors: [] },
    ]);
    expect(report.summary?.toolUse).toMatchObject({ think: expect.any(Number) as number });
  });

  it('reports what makes a pack unusable instead of rejecting', async () => {
    const folder = join(await scratchFolder(), 'gone');
    expect(await verifyPack(folder)).toEqual({
      folder,
      problems: [`${folder}: no such folder; give the folder of a domain pack or an imported pack's name.`],
      warnings: [],
      summary: null,
    });
  });

  it('warns of a failing call of the ground truth, with its observation', async () => {
    const folder = await smallPack();
    await editJson(folder, 'tasks-dev.json', (tasks: { actions: unknown[] }[]) => {
      tasks[0]?.actions.unshift({ name: 'get_order_details', kwargs: { order_id: '#W0' } });
      tasks[0]?.actions.unshift({ name: 'get_order_details', kwargs: {} });
    });
    const report = await verifyPack(folder);
    const file = join(folder, 'tasks-dev.json');
    expect(texts(report)).toEqual([
      `${file}: [0].actions[0], a call of get_order_details, is answered Error: GetOrderDetails.invoke() missing 1 required positional argument: 'order_id'`,
      `${file}: [0].actions[1], a call of get_order_details, is answered Error: order not found`,
    ]);
    expect(report.summary?.splits[0]).toMatchObject({ split: 'dev', withErrors: [0] });
  });

  it('counts a task as solved by doing nothing when its ground truth changes nothing and wants no output', async () => {
    const folder = await smallPack();
    await editJson(folder, 'tasks-dev.json', (tasks: { actions: unknown[]; outputs: string[] }[]) =>
      tasks.flatMap((task) => [
        { ...task, instruction: 'Do nothing.', actions: [], outputs: [] },
        { ...task, instruction: 'Tell.', actions: [], outputs: ['1'] },
      ]),
    );
    const report = await verifyPack(folder);
    expect(report.summary?.splits[0]).toMatchObject({ tasks: 4, doNothing: [0, 2], withOutputs: 2 });
    expect(texts(report)).toEqual([
      `${join(folder, 'tasks-dev.json')}: [2] has the same instruction as [0].`,
      `${join(folder, 'tasks-dev.json')}: [3] has the same instruction as [1].`,
    ]);
  });

  it('warns of ids that refer to nothing', async () => {
    const folder = await smallPack();
    await editJson(folder, 'users.json', (users: Record<string, { orders: string[] }>) => {
      Object.values(users)[0]?.orders.push('#W0');
    });
    await editJson(folder, 'orders.json', (orders: Record<string, { items: { item_id: string }[] }>) => {
      const item = Object.values(orders)[0]?.items[0];
      if (item !== undefined) item.item_id = '0';
    });
    const warnings = texts(await verifyPack(folder));
    expect(
      warnings.filter((warning) => /users\.json: \w+\.orders\[\d\] is "#W0", which is not in/.test(warning)),
    ).toHaveLength(1);
    expect(
      warnings.filter((warning) =>
        warning.endsWith('.items[0].item_id is "0", which is not in the product\'s variants.'),
      ),
    ).toHaveLength(1);
  });

  it('warns of tools that only the pack or only the program has', async () => {
    const folder = await smallPack();
    await editJson(folder, 'tools.json', (tools: { function: { name: string } }[]) =>
      tools.map((tool) =>
        tool.function.name === 'think' ? { ...tool, function: { ...tool.function, name: 'ponder' } } : tool,
      ),
    );
    await editJson(folder, 'tasks-test.json', (tasks: { actions: { name: string }[] }[]) =>
      tasks.map((task) => ({ ...task, actions: task.actions.filter((action) => action.name !== 'think') })),
    );
    await editJson(folder, 'tasks-dev.json', (tasks: { actions: { name: string }[] }[]) =>
      tasks.map((task) => ({ ...task, actions: task.actions.filter((action) => action.name !== 'think') })),
    );
    const where = join(folder, 'tools.json');
    expect(texts(await verifyPack(folder))).toEqual([
      `${where}: the retail environment has no tool ponder; an agent that calls it gets an error.`,
      `${where}: the tool think is not described; agents will not know that there is one.`,
    ]);
  });
});

describeWithReference('verifying the reference', (dir) => {
  it('finds its tasks that fail, repeat each other or need nothing', async () => {
    const report = await verifyPack(join(dir, 'retail'));
    expect(report.problems).toEqual([]);
    expect(report.summary?.splits[1]).toEqual({
      split: 'test',
      tasks: 115,
      actions: 582,
      withOutputs: 37,
      doNothing: [10, 12, 25, 50, 57, 65, 106],
      withErrors: [2, 3, 4, 12, 13, 21, 35, 36, 37, 38, 39, 46, 47, 54, 55, 64, 67, 68, 106],
    });
    expect(texts(report)).toContain(
      `${join(dir, 'retail', 'tasks-test.json')}: [95] has the same instruction as [93].`,
    );
  });

  it('reports that it cannot replay a domain', async () => {
    const { problems, summary } = await verifyPack(join(dir, 'airline'));
    expect(problems).toEqual([]);
    expect(summary).toMatchObject({ domain: 'airline', records: { flights: 300, reservations: 2000, users: 500 } });
  });
});
