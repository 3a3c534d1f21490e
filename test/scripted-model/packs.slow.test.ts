/** The scripted model against whole packs: every task solved, with no call more than its path needs. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyAction, openOverlay, grade, RESPOND, STOP_MARKER, type Action } from '../../src/benchmarks/index.ts';
import { parseJson, isDict, type PyValue } from '../../src/benchmarks/python/index.ts';
import { toolSchemas } from '../../src/models/prompts/index.ts';
import { formatCaseCode } from '../../src/scripted-model/case-code.ts';
import { formatPackKey, toolsJson, readPack, type Pack } from '../../src/benchmarks/testing.ts';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { describeWithReference } from '../helpers/reference.ts';
import { indexed, newResponder, play, userSystem } from './helpers.ts';

interface WireMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
}

/** An episode as another harness would run it: nothing but HTTP, and the benchmark's environment. */
async function playByHand(server: ScriptedModel, pack: Pack, taskId: number, model: string): Promise<number> {
  const { task } = indexed(pack, 'test', taskId);
  const overlay = openOverlay(pack);
  const actions: Action[] = [];
  const ask = async (messages: readonly WireMessage[], tools?: unknown): Promise<WireMessage> => {
    const body = JSON.stringify({ model, messages, seed: taskId, ...(tools === undefined ? {} : { tools }) });
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body });
    const { choices } = (await response.json()) as { choices: [{ message: WireMessage }] };
    return choices[0].message;
  };
  const user: WireMessage[] = [
    { role: 'system', content: userSystem(pack, task.instruction) },
    { role: 'user', content: pack.userPrompts.greeting },
  ];
  user.push(await ask(user));
  const agent: WireMessage[] = [
    { role: 'system', content: pack.policy },
    { role: 'user', content: user.at(-1)?.content ?? null },
  ];
  for (let step = 0; step < 30; step++) {
    const said = await ask(agent, toolSchemas(pack));
    agent.push(said);
    const call = said.tool_calls?.[0];
    if (call === undefined) {
      actions.push({ name: RESPOND, kwargs: new Map([['content', said.content]]) });
      user.push({ role: 'user', content: said.content });
      user.push(await ask(user));
      const content = user.at(-1)?.content ?? '';
      agent.push({ role: 'user', content });
      if (content.includes(STOP_MARKER)) break;
      continue;
    }
    let kwargs;
    try {
      kwargs = parseJson(call.function.arguments);
    } catch {
      return 0;
    }
    if (!isDict(kwargs)) return 0;
    const action = { name: call.function.name, kwargs };
    actions.push(action);
    const { observation, done } = applyAction(pack, overlay, action);
    if (done) break;
    agent.push({ role: 'tool', content: observation });
  }
  const graded = grade(pack, task, actions, { hash: () => '' });
  return graded.kind === 'graded' ? graded.grade.reward : 0;
}

/** The calls of a perfect tool-calling episode: opening, actions, answer, stop; a transfer ends it at once. */
function neededCalls(pack: Pack): number {
  const tasks = pack.splits['test'] ?? [];
  return tasks.reduce((sum, { actions, outputs }) => {
    const transfers = actions.some(({ name }) => pack.terminateTools.includes(name));
    return sum + 1 + actions.length + (transfers && outputs.length === 0 ? 0 : 2);
  }, 0);
}

function provesItself(load: () => Promise<Pack>, expectedCalls?: number): void {
  let pack: Pack;
  let server: ScriptedModel;
  let taskIds: number[];
  beforeAll(async () => {
    pack = await load();
    server = await startScriptedModel({ packs: [pack] });
    taskIds = [...(pack.splits['test'] ?? []).keys()];
  });
  afterAll(async () => {
    await server.close();
  });

  it('solves every task over HTTP, and makes exactly the calls that are needed', async () => {
    const before = server.stats().completions;
    const rewards = [];
    for (const taskId of taskIds) rewards.push(await playByHand(server, pack, taskId, 'oracle'));
    expect(rewards.map((reward, taskId) => [taskId, reward])).toEqual(taskIds.map((taskId) => [taskId, 1]));
    expect(server.stats().completions - before).toBe(expectedCalls ?? neededCalls(pack));
    expect(server.stats().duplicates).toBe(0);
  });

  it('fails over HTTP in exactly the episodes that are drawn to fail', async () => {
    const flawed = (taskId: number) =>
      server.findFlaw({ packKey: formatPackKey(pack), split: 'test', taskId, seed: taskId }, 0.8) !== null;
    for (const taskId of taskIds) {
      const reward = await playByHand(server, pack, taskId, 'oracle:0.8');
      expect([taskId, reward]).toEqual([taskId, flawed(taskId) ? 0 : 1]);
    }
  });

  it('errs in a fifth of the episodes at rate 0.8, each time so that it costs the reward', () => {
    const codes = taskIds.flatMap((taskId) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((seed) => ({ packKey: formatPackKey(pack), split: 'test', taskId, seed })),
    );
    const share = codes.filter((code) => server.findFlaw(code, 0.8) !== null).length / codes.length;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.25);
  });
}

describeWithReference('on the reference’s retail test tasks', (dir) => {
  provesItself(() => readPack(join(dir, 'retail')), 919);
});

const shipped = fileURLToPath(new URL('../../data/retail', import.meta.url));
describe.skipIf(!existsSync(join(shipped, 'pack.json')))('on the shipped pack', () => {
  provesItself(() => readPack(shipped));
});

describeWithReference('under the reference’s act and react prompts', (dir) => {
  it.each([
    ['act_instruction', /^Action:\n\{"name": "/],
    ['react_instruction', /^Thought:\n.+\nAction:\n\{"name": "/],
  ])('every task is played as text in the form of %s', async (key, form) => {
    const pack = await readPack(join(dir, 'retail'));
    const responder = newResponder(pack);
    const system = `${pack.policy}\n#Available tools\n${toolsJson(pack)}${pack.agentPrompts[key] ?? ''}`;
    for (const [taskId, { actions }] of (pack.splits['test'] ?? []).entries()) {
      const code = formatCaseCode({ packKey: formatPackKey(pack), split: 'test', taskId, seed: 1 });
      const messages = [
        { role: 'system', content: system },
        { role: 'user', content: `Hi. ${code}` },
      ];
      for (const action of actions) {
        const content = play(responder, { model: 'oracle', messages }).content ?? '';
        expect(content).toMatch(form);
        const written = parseJson(content.slice(content.lastIndexOf('Action:') + 'Action:'.length));
        expect(written).toEqual(
          new Map<string, PyValue>([
            ['name', action.name],
            ['arguments', action.kwargs],
          ]),
        );
        messages.push({ role: 'assistant', content }, { role: 'user', content: 'API output: ok' });
      }
    }
  });
});

describeWithReference('on a domain whose tools the program may not have', (dir) => {
  it('plays the ground truth of every airline task', async () => {
    const pack = await readPack(join(dir, 'airline'));
    const responder = newResponder(pack);
    pack.splits['test']?.forEach((task, taskId) => {
      const { moves, flaw } = responder.script({ packKey: formatPackKey(pack), split: 'test', taskId, seed: 1 }, 1);
      expect(flaw).toBeNull();
      expect(moves.flatMap((move) => (move.kind === 'call' ? [move.action] : []))).toEqual(task.actions);
    });
  });

  it('finds mistakes to make in all of them', async () => {
    const pack = await readPack(join(dir, 'airline'));
    const responder = newResponder(pack);
    pack.splits['test']?.forEach((_, taskId) => {
      expect(responder.findFlaw({ packKey: formatPackKey(pack), split: 'test', taskId, seed: 1 }, 0)).not.toBeNull();
    });
  });
});
