import { expect, it } from 'vitest';
import { analyzeEpisode, analyzeOrWarn } from '../../src/analysis/analyze.ts';
import { CANCEL, failed, READ, say, shop, taskOf } from './attribution/episodes.ts';

const episode = failed(taskOf([CANCEL]), [READ, say('Anything else?')]);

it('is the analysis, and no warning, where one can be made', () => {
  const warnings: string[] = [];
  const analysis = analyzeOrWarn(
    shop,
    () => episode,
    't001-k0',
    (sentence) => warnings.push(sentence),
  );
  expect(analysis).toEqual(analyzeEpisode(shop, episode));
  expect(analysis?.faults).toHaveLength(1);
  expect(warnings).toEqual([]);
});

it('is a warning that names the episode where none can be made', () => {
  const warnings: string[] = [];
  const unknown = { ...shop, domain: 'nowhere' };
  expect(() => analyzeEpisode(unknown, episode)).toThrow('there is no domain named "nowhere"');
  expect(
    analyzeOrWarn(
      unknown,
      () => episode,
      't001-k0',
      (sentence) => warnings.push(sentence),
    ),
  ).toBeUndefined();
  expect(warnings).toEqual([
    expect.stringMatching(
      /^the episode t001-k0 is recorded without an analysis .*: there is no domain named "nowhere"/,
    ),
  ]);
});
