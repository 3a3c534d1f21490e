import { expect, it } from 'vitest';
import { analyzeEpisode, analyzeOrWarn } from '../../src/analysis/index.ts';
import { CANCEL, failed, READ, say, shop, taskOf } from './attribution/episodes.ts';

const episode = failed(taskOf([CANCEL]), [READ, say('Anything else?')]);

it('an episode that can be analyzed has an analysis and no warning', () => {
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

it('an episode that cannot be analyzed has a warning that names it', () => {
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

it('each fault of an episode with a suspect user says so', () => {
  const loop = Array.from({ length: 12 }, () => 'I would like that very much.').join(' ');
  const { faults, user } = analyzeEpisode(shop, { ...episode, opening: loop });
  expect(user.map(({ kind, severity }) => [kind, severity])).toEqual([['repeated_itself', 'suspect']]);
  expect(faults.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/ The user is suspect: it repeats itself within a message\.$/),
  ]);
});

it('an episode without a user has no findings about one', () => {
  const opening = 'Please answer. '.repeat(12);
  expect(analyzeEpisode(shop, { ...episode, opening }).user).not.toEqual([]);
  expect(analyzeEpisode(shop, { ...episode, opening, hasUser: false }).user).toEqual([]);
});

it('names what an agent says again and again, in its first fault', () => {
  const again = Array.from({ length: 4 }, () => say('Please tell me your order number.'));
  const { faults } = analyzeEpisode(shop, failed(taskOf([CANCEL]), [READ, ...again]));
  expect(faults[0]?.sentence).toMatch(/ The agent said the same 4 times: “Please tell me your order number”\./);
});
