/** Warnings about the figures, and files that could not be read. */

import type { PayloadRun } from '../../results/page/index.ts';
import { Folded } from '../parts/folded.tsx';
import { counted } from '../words.ts';

export function Remarks({ run }: { readonly run: PayloadRun }) {
  const { remarks, problems, leaderboardRow } = run;
  return (
    <>
      {remarks.length === 0 ? null : (
        <section class="callout" aria-label="Remarks">
          <ul>
            {remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </section>
      )}
      {problems.length === 0 ? null : (
        <Folded class="callout is-bad" summary={`${counted(problems.length, 'file')} could not be used`}>
          {() => (
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
        </Folded>
      )}
      {leaderboardRow === null ? null : (
        <Folded class="row-of-leaderboard" summary="Row for a leaderboard">
          {() => <pre class="text-block">{leaderboardRow}</pre>}
        </Folded>
      )}
    </>
  );
}
