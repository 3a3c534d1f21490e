/** One step: what the agent did, what came back, what it cost, and what was wrong with it. */

import { formatUsd, formatAmount, formatDuration } from '../../../results/document/index.ts';
import type { UserFault, Fault as FoundFault } from '../../../analysis/index.ts';
import type { PayloadDifference, PayloadStep } from '../../data/payload.ts';
import { Folded, JsonBlock, LongText } from '../parts.tsx';
import { Differences, Fault, Finding } from './findings.tsx';

interface StepProps {
  readonly step: PayloadStep;
  readonly isCurrent: boolean;
  /** Its own address; null where it has none. */
  readonly link: string | null;
  /** Events of this step. */
  readonly faults: readonly FoundFault[];
  readonly differences: readonly PayloadDifference[];
  readonly userFaults: readonly UserFault[];
}

/** tau-bench's name of the action that speaks to the user. */
const RESPOND = 'respond';

export function Step({ step, isCurrent, link, faults, differences, userFaults }: StepProps) {
  const { index, name } = step;
  const hasFault = faults.length + differences.length > 0;
  return (
    <article
      id={link === null ? undefined : `step-${String(index)}`}
      class={`step${isCurrent ? ' is-current' : ''}${hasFault ? ' has-fault' : ''}`}
      aria-label={`Step ${String(index)}`}
    >
      <div class="step-line">
        {link === null ? (
          <span class="step-number">{index}</span>
        ) : (
          <a class="step-number" href={link}>
            {index}
          </a>
        )}
        <Measures step={step} />
      </div>
      {step.thought === null ? null : (
        <p class="thought">
          <LongText text={step.thought} />
        </p>
      )}
      {name === RESPOND ? <Spoken step={step} /> : <Called step={step} />}
      {faults.map((fault, at) => (
        <Fault key={at} fault={fault} />
      ))}
      {differences.length === 0 ? null : (
        <Differences title="Data that this step left otherwise" differences={differences} />
      )}
      {userFaults.map((finding, at) => (
        <Finding key={at} finding={finding} />
      ))}
    </article>
  );
}

function Spoken({ step: { text, observation } }: { readonly step: PayloadStep }) {
  return (
    <>
      <div class="said by-agent">
        <span class="speaker">Agent</span>
        <p>
          <LongText text={text} />
        </p>
      </div>
      {observation === null ? null : (
        <div class="said by-user">
          <span class="speaker">User</span>
          <p>
            <LongText text={observation} />
          </p>
        </div>
      )}
    </>
  );
}

/** Characters of an answer that its line previews. */
const PREVIEW_CHARS = 120;

function Called({ step: { name, text, observation, changed } }: { readonly step: PayloadStep }) {
  const isError = observation?.startsWith('Error') === true;
  return (
    <div class="called">
      <div class="call">
        <code class="tool-name">{name}</code>
        {changed ? <span class="badge is-accent">changed data</span> : null}
        {text === '{}' ? null : <JsonBlock text={text} />}
      </div>
      {observation === null ? null : observation.length <= PREVIEW_CHARS ? (
        <p class={isError ? 'answer is-error' : 'answer'}>{observation === '' ? '(nothing)' : observation}</p>
      ) : (
        <Folded
          class={isError ? 'answer is-error' : 'answer'}
          isOpen={isError}
          summary={<span class="preview">{observation.slice(0, PREVIEW_CHARS)}</span>}
        >
          {() => <JsonBlock text={observation} />}
        </Folded>
      )}
    </div>
  );
}

function Measures({ step: { thinkMs, durationMs, calls, costUsd } }: { readonly step: PayloadStep }) {
  const parts = [
    calls === null || calls === 1 ? null : formatAmount(calls, 'call'),
    thinkMs === null ? null : `thought ${formatDuration(thinkMs)}`,
    durationMs === null ? null : `took ${formatDuration(durationMs)}`,
    costUsd === null ? null : formatUsd(costUsd),
  ].filter((part) => part !== null);
  return <span class="measures">{parts.join(' · ')}</span>;
}
