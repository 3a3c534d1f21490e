/** One fault: what it is, and what was expected in its place. */

import { FAULT_KINDS, type Fault as FoundFault } from '../../analysis/index.ts';
import { JsonBlock } from '../parts/json-block.tsx';
import { spoken } from '../words.ts';

export interface FaultProps {
  readonly fault: FoundFault;
  /** Shows the step where it arose, which has the values; absent in the step itself. */
  readonly toStep?: (step: number) => void;
}

export function Fault({ fault, toStep }: FaultProps) {
  const { kind, faultType, step, tool, argument, expected, given, sentence } = fault;
  // Where the tool is what was wrong, both sides name theirs.
  const place = kind === 'wrong_tool' ? [] : [tool, argument];
  const isElsewhere = toStep !== undefined && step !== null && step > 0;
  return (
    <div class="finding is-bad">
      <p class="finding-title">
        <span aria-hidden="true">✗</span> <strong>{FAULT_KINDS[kind]}</strong>
        {faultType === null ? null : <span class="tag">{spoken(faultType)}</span>}
        {isElsewhere ? (
          <button type="button" class="text-button" onClick={() => toStep(step)}>
            step {step}
          </button>
        ) : null}
      </p>
      <p>{sentence}</p>
      {isElsewhere || (expected === null && given === null) ? null : (
        <dl class="expected-given">
          <Side name="expected" value={expected} where={place} />
          <Side name="given" value={given} where={[]} />
        </dl>
      )}
    </div>
  );
}

interface SideProps {
  readonly name: 'expected' | 'given';
  readonly value: string | null;
  readonly where: readonly (string | null)[];
}

function Side({ name, value, where }: SideProps) {
  const place = where.filter((part) => part !== null).join(': ');
  return (
    <div class={`side-${name}`}>
      <dt>
        {name}
        {place === '' ? null : <span class="muted"> {place}</span>}
      </dt>
      <dd>{value === null ? <span class="muted">nothing</span> : <JsonBlock text={value} />}</dd>
    </div>
  );
}
