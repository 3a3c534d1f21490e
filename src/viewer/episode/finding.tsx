/** One thing that the simulated customer did. */

import { USER_FAULT_KINDS, type UserFault } from '../../analysis/index.ts';

export interface FindingProps {
  readonly finding: UserFault;
  /** Shows the step whose answer it is; absent where that is on the screen already. */
  readonly toStep?: (step: number) => void;
}

export function Finding({ finding, toStep }: FindingProps) {
  const { kind, severity, step, quote, sentence } = finding;
  return (
    <div class={severity === 'suspect' ? 'finding is-warn' : 'finding'}>
      <p class="finding-title">
        <span aria-hidden="true">?</span> <strong>user {USER_FAULT_KINDS[kind]}</strong>
        <span class="tag">{severity}</span>
        {toStep !== undefined && step !== null && step > 0 ? (
          <button type="button" class="text-button" onClick={() => toStep(step)}>
            step {step}
          </button>
        ) : null}
      </p>
      <p>{sentence}</p>
      {quote === '' ? null : <blockquote>{quote}</blockquote>}
    </div>
  );
}
