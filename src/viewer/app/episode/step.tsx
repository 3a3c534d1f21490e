/** One step: the agent's action, its observation, its cost, and its faults. */

import { formatUsd, formatAmount, formatDuration } from '../../../results/document/index.ts';
import type { UserFault, Fault as FoundFault } from '../../../analysis/index.ts';
import type { PayloadDifference, PayloadStep } from '../../data/payload.ts';
import { Folded, JsonBlock, LongText } from '../parts.tsx';
import { DataDifferenceList, Fault, UserFinding } from './findings.tsx';

interface StepProps {
  readonly step: PayloadStep;
  readonly isCurrent: boolean;
  /** Address of the step; null: none. */
  readonly link: string | null;
  /** Faults of this step. */
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
      id={link === null ? undefined : `step-${index}`}
      class={`panel step${isCurrent ? ' is-current' : ''}${hasFault ? ' has-fault' : ''}`}
      aria-label={`Step ${index}`}
    >
      <div class="step-line small muted">
        {link === null ? <span>{index}</span> : <a href={link}>{index}</a>}
        <Measures step={step} />
      </div>
      {step.thought === null ? null : (
        <p class="thought muted">
          <LongText text={step.thought} />
        </p>
      )}
      {name === RESPOND ? (
        <>
          <Said by="agent" text={step.text} />
          {step.userCalls.map((call, at) => (
            <div key={at} class="said by-user">
              <span class="small muted">User’s tool</span>{' '}
              <Called name={call.name} args={call.text} observation={call.observation} hasChanged={false} />
            </div>
          ))}
          {step.observation === null ? null : <Said by="user" text={step.observation} />}
        </>
      ) : (
        <Called name={name} args={step.text} observation={step.observation} hasChanged={step.changed} />
      )}
      {faults.map((fault, at) => (
        <Fault key={at} fault={fault} />
      ))}
      {differences.length === 0 ? null : (
        <DataDifferenceList title="Data differences of this step" differences={differences} />
      )}
      {userFaults.map((fault, at) => (
        <UserFinding key={at} fault={fault} />
      ))}
    </article>
  );
}

interface SaidProps {
  readonly by: 'agent' | 'user';
  /** The speaker's name, if it is not the default. */
  readonly name?: string | null;
  readonly text: string;
}

export function Said({ by, name = by === 'agent' ? 'Agent' : 'User', text }: SaidProps) {
  return (
    <div class={`said by-${by}`}>
      <span class="small muted">{name}</span>
      <p>
        <LongText text={text} />
      </p>
    </div>
  );
}

/** Length of an answer's preview, in characters. */
const PREVIEW_CHARS = 120;

interface CalledProps {
  readonly name: string;
  /** Arguments as JSON. */
  readonly args: string;
  readonly observation: string | null;
  readonly hasChanged: boolean;
}

/** A tool call and its answer. */
export function Called({ name, args, observation, hasChanged }: CalledProps) {
  const isError = observation?.startsWith('Error') === true;
  return (
    <>
      <code class="tool-name">{name}</code>
      {hasChanged ? <span class="badge is-accent">changed data</span> : null}
      {args === '{}' ? null : <JsonBlock text={args} />}
      {observation === null ? null : observation.length <= PREVIEW_CHARS ? (
        <p class={isError ? 'answer is-error' : 'answer muted'}>{observation === '' ? '(nothing)' : observation}</p>
      ) : (
        <Folded
          class={isError ? 'answer is-error' : 'answer muted'}
          isOpen={isError}
          summary={<span class="preview clip">{observation.slice(0, PREVIEW_CHARS)}</span>}
        >
          {() => <JsonBlock text={observation} />}
        </Folded>
      )}
    </>
  );
}

function Measures({ step: { thinkMs, durationMs, calls, costUsd } }: { readonly step: PayloadStep }) {
  const parts = [
    calls === null || calls === 1 ? null : formatAmount(calls, 'call'),
    thinkMs === null ? null : `thought ${formatDuration(thinkMs)}`,
    durationMs === null ? null : `took ${formatDuration(durationMs)}`,
    costUsd === null ? null : formatUsd(costUsd),
  ].filter((part) => part !== null);
  return <span class="number">{parts.join(' · ')}</span>;
}
