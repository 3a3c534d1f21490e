import { afterEach, describe, expect, it } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '../../src/scripted-model/index.ts';
import { CANCEL, LOOK_UP, task, tinyPack } from './helpers.ts';

const pack = tinyPack([task('Cancel my order.', [LOOK_UP, CANCEL])]);
let model: ScriptedModel;

async function start(): Promise<void> {
  model = await startScriptedModel({ packs: [pack] });
}

afterEach(() => model.close());

function ask(seed: number, init: RequestInit = {}): Promise<number> {
  const messages = [{ role: 'user', content: `Hi. [case shop-3fa91c/test/0 s${seed}]` }];
  const tools = [{ type: 'function', function: { name: 'cancel_pending_order' } }];
  const body = JSON.stringify({ model: 'oracle', messages, tools });
  return fetch(`${model.url}/chat/completions`, { method: 'POST', body, ...init }).then(({ status }) => status);
}

async function hold(body: unknown): Promise<number> {
  const response = await fetch(`${model.url}/hold`, { method: 'POST', body: JSON.stringify(body) });
  return response.status;
}

describe('a hold', () => {
  it('withholds answers that are counted already, until it is moved past them or lifted', async () => {
    await start();
    expect(await hold({ after: 1 })).toBe(200);
    expect(await ask(1)).toBe(200);
    const second = ask(2);
    await expect.poll(() => model.stats()).toMatchObject({ completions: 2, held: 1, inFlight: 1 });
    const third = ask(3);
    await expect.poll(() => model.stats().held).toBe(2);

    await hold({ after: 2 });
    expect(await second).toBe(200);
    expect(model.stats()).toMatchObject({ completions: 3, held: 1 });
    await hold({ after: null });
    expect(await third).toBe(200);
    expect(await ask(4)).toBe(200);
  });

  it('forgets a client that has gone, whose call stays counted', async () => {
    await start();
    await hold({ after: 0 });
    const leaving = new AbortController();
    const gone = ask(1, { signal: leaving.signal });
    await expect.poll(() => model.stats().held).toBe(1);
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => model.stats()).toMatchObject({ completions: 1, held: 0, inFlight: 0 });
    await hold({ after: null });
    expect(await ask(1)).toBe(200);
    expect(model.stats()).toMatchObject({ completions: 2, duplicates: 1 });
  });

  it.each([{}, { after: -1 }, { after: 'x' }, []])('is not set by %j', async (body) => {
    await start();
    expect(await hold(body)).toBe(400);
  });
});
