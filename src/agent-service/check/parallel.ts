/** The check of two episodes at once: an agent must not mix them, and should work on both. */

import { CheckedEpisode, type CheckSettings } from './episode.ts';
import { describeAttempt } from './findings.ts';
import type { ReportFinding } from '../../io/index.ts';
import { toScripts, turnsAbout } from './script.ts';

export async function checkParallel(
  { meetMs = MEET_MS, ...checked }: CheckSettings & { readonly meetMs?: number },
  others: CheckedEpisode[],
  report: ReportFinding,
): Promise<void> {
  const orders = ['#W2002', '#W3003'] as const;
  const scripts = orders.map((order) => toScripts(turnsAbout(order)));
  const episodes = orders.map(() => new CheckedEpisode(checked));
  others.push(...episodes);
  const beforeTool = meeting(orders.length, meetMs);
  const turns = await Promise.all(
    episodes.map((episode, at) => {
      const [first, ...following] = scripts[at] ?? toScripts(turnsAbout(''));
      return episode.play(first, { beforeTool: beforeTool.wait, following });
    }),
  );
  const failed = turns.find(({ last }) => last.heard === undefined);
  if (failed !== undefined) {
    report(
      'wrong',
      `of two episodes at once, one fails: ${describeAttempt(failed.last)}`,
      'only --max-concurrency 1 works',
    );
    return;
  }
  const isMixed = turns.some((turn, at) => {
    const { answer } = turn.last.heard ?? {};
    const calls = [...turn.attempts.flatMap((attempt) => attempt.calls), ...turn.answered];
    const texts = calls.flatMap(({ identity, text }) => [identity, text]);
    if (answer?.kind === 'message') texts.push(answer.content);
    const foreign = orders[1 - at] ?? '';
    return texts.some((text) => text.includes(foreign));
  });
  if (isMixed)
    report('wrong', 'mixes two episodes that are open at once', 'every reward is wrong; use --max-concurrency 1');
  else if (beforeTool.isMissed()) {
    report('note', 'takes one request at a time', 'a run is no faster than with --max-concurrency 1');
  } else report('right', 'two episodes at once do not mix');
}

const MEET_MS = 3_000;

/** Makes the first calls wait for each other, so that their requests are open at the same time. */
function meeting(size: number, ms: number) {
  let here = 0;
  let isMissed = false;
  let meet: () => void = () => undefined;
  const met = new Promise<void>((resolve) => (meet = resolve));
  return {
    isMissed: () => isMissed,
    wait: async () => {
      here += 1;
      if (here >= size) meet();
      const timer = setTimeout(() => {
        isMissed = true;
        meet();
      }, ms);
      await met;
      clearTimeout(timer);
    },
  };
}
