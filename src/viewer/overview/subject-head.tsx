/** Header of the shown run: its configuration. */

import type { PayloadRun } from '../../results/page/index.ts';
import { spoken } from '../words.ts';

export function SubjectHead({ run }: { readonly run: PayloadRun }) {
  const { subject } = run;
  const facts: readonly (readonly [string, string | null])[] = [
    ['Domain', joined(subject.env, subject.split, ', ')],
    ['Strategy', subject.strategy],
    ['Agent', joined(subject.agentModel, subject.agentProvider, ' · ')],
    ['Customer', joined(joined(subject.userModel, subject.userProvider, ' · '), subject.userStrategy, ' · ')],
    ['Pack', subject.pack],
    ['Status', subject.status === null ? null : spoken(subject.status)],
    ['Started', moment(subject.startedAt)],
    ['Ended', moment(subject.endedAt)],
  ];
  return (
    <div class="subject">
      <h1>{subject.runId}</h1>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {subject.variants.length === 0 ? null : (
        <ul class="tags" aria-label="What sets this run apart from a plain one">
          {subject.variants.map((variant) => (
            <li key={variant}>{variant}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function joined(first: string | null, second: string | null, mark: string): string | null {
  const parts = [first, second].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(mark);
}

/** `2026-11-22 02:34 UTC` */
function moment(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
