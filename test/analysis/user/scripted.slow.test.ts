/** The scripted user, who behaves unless it is asked not to: then what it does wrong is known. */

import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { toolCalling } from '../../../src/agents/testing.ts';
import { findUserFaults } from '../../../src/analysis/testing.ts';
import { USER_FAULT_KINDS, isSuspect, type AnalyzedEpisode } from '../../../src/analysis/index.ts';
import { MISBEHAVIOR_KINDS } from '../../../src/scripted-model/index.ts';
import { formatCaseCode } from '../../../src/scripted-model/case-code.ts';
import { formatPackKey, readPack, type Pack } from '../../../src/benchmarks/testing.ts';
import { type ResultsFileMessage, recordedSteps } from '../../../src/benchmarks/results.ts';
import { describeWithReference } from '../../helpers/reference.ts';
import { askResponder, playEpisode } from '../../scripted-model/episodes.ts';
import { newResponder } from '../../scripted-model/helpers.ts';

const SHARE = 0.5;

/** Plays one episode of every task. */
async function play(pack: Pack, split: string, model: string) {
  const responder = newResponder(pack);
  const ask = askResponder(responder, model);
  const episodes = (pack.splits[split] ?? []).map(async (task, taskId) => {
    const seed = taskId;
    const { trajectory, end } = await playEpisode({ pack, split, taskId, seed, strategy: toolCalling, ask });
    // As a file has them: plain JSON.
    const messages = JSON.parse(JSON.stringify(trajectory)) as ResultsFileMessage[];
    const { steps } = recordedSteps({ traj: messages }, 'tools');
    const opening = messages.find(({ role }) => role === 'user')?.content;
    const episode: AnalyzedEpisode = {
      task,
      opening: typeof opening === 'string' ? opening : null,
      steps: steps.map(({ action, answer }) => ({ action, observation: answer })),
      outcome: end === 'max_steps' ? 'max_steps' : 'user_stop',
      reward: 0,
      unreadable: null,
      error: null,
    };
    const code = { packKey: formatPackKey(pack), split, taskId, seed };
    const findings = findUserFaults(pack, episode);
    return { code: formatCaseCode(code), findings, done: responder.drawMisbehavior(code, SHARE) };
  });
  return Promise.all(episodes);
}

function cases(read: () => Pack, split: string, tasks: number) {
  it('finds nothing in the episodes of a perfect run', async () => {
    const played = await play(read(), split, 'oracle');
    expect(played).toHaveLength(tasks);
    expect(played.filter(({ findings }) => findings.length > 0)).toEqual([]);
  });

  it('marks the episodes of a misbehaving user, for what it did, and no other', async () => {
    const played = await play(read(), split, `oracle+careless:${String(SHARE)}`);
    const marked = played.map(({ code, findings }) => {
      const kinds = findings.filter(({ severity }) => severity === 'suspect').map(({ kind }) => kind);
      return [code, isSuspect({ user: findings }), Array.from(new Set(kinds))];
    });
    expect(marked).toEqual(played.map(({ code, done }) => [code, done !== null, done === null ? [] : [done]]));
    expect(played.filter(({ done }) => done !== null).length / tasks).toBeGreaterThan(SHARE - 0.2);
  });
}

it('names what the misbehaving user does as the analysis does', () => {
  expect(Object.keys(USER_FAULT_KINDS)).toEqual(expect.arrayContaining([...MISBEHAVIOR_KINDS]));
});

describe.each([
  ['retail', 40],
  ['airline', 50],
])('in the shipped pack of %s', (domain, tasks) => {
  let pack: Pack | undefined;
  beforeAll(async () => {
    pack = await readPack(new URL(`../../../data/${domain}`, import.meta.url).pathname);
  });
  cases(() => loaded(pack), 'test', tasks);
});

describeWithReference("in the reference's packs", (dir) => {
  describe.each([
    ['retail', 115],
    ['airline', 50],
  ])('%s', (domain, tasks) => {
    let pack: Pack | undefined;
    beforeAll(async () => {
      pack = await readPack(join(dir, domain));
    });
    cases(() => loaded(pack), 'test', tasks);
  });
});

function loaded(pack: Pack | undefined): Pack {
  if (pack === undefined) throw new Error('the pack has not been read');
  return pack;
}
