/** Explanation of the episode's result: faults, data, the simulated user, the judge, and the task's defects. */

import type { PayloadConversation, PayloadEpisode, PayloadRun } from '../../results/page/index.ts';
import { isSuccess } from '../../results/metrics/index.ts';
import { Folded } from '../parts/folded.tsx';
import { Defects } from './defects.tsx';
import { Differences } from './differences.tsx';
import { Fault } from './fault.tsx';
import { Finding } from './finding.tsx';
import { Verdict } from './verdict.tsx';

export interface FindingsProps {
  readonly run: PayloadRun;
  readonly episode: PayloadEpisode;
  readonly conversation: PayloadConversation;
  readonly toStep: (step: number) => void;
}

/** More than these would push the conversation off the screen. */
const SHOWN_DIFFERENCES = 4;

export function Findings({ run, episode, conversation, toStep }: FindingsProps) {
  const { isAnalysed, faults, differences, customer, verdict } = conversation;
  return (
    <section class="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">{isSuccess(episode.reward) ? 'Findings' : 'Why it failed'}</h2>
      <Defects run={run} taskId={episode.taskId} />
      {isAnalysed ? null : (
        <p class="muted">This episode was recorded without an analysis, and its pack is not at hand to make one.</p>
      )}
      {faults.map((fault, at) => (
        <Fault key={at} fault={fault} toStep={toStep} />
      ))}
      {verdict === null ? null : <Verdict verdict={verdict} />}
      {customer.map((finding, at) => (
        <Finding key={at} finding={finding} toStep={toStep} />
      ))}
      {differences.length === 0 ? null : differences.length <= SHOWN_DIFFERENCES ? (
        <Differences title="Data left otherwise" differences={differences} toStep={toStep} />
      ) : (
        <Folded summary={`Data left otherwise: ${String(differences.length)} fields`}>
          {() => <Differences title="By field" differences={differences} toStep={toStep} />}
        </Folded>
      )}
      {isAnalysed && faults.length + customer.length + differences.length === 0 ? (
        <p class="muted">Nothing was found fault with.</p>
      ) : null}
    </section>
  );
}
