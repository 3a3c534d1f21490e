/** Fields that the agent left other than the ground truth has them. */

import type { PayloadDifference } from '../../results/page/index.ts';
import { JsonBlock } from '../parts/json-block.tsx';

export interface DifferencesProps {
  readonly title: string;
  readonly differences: readonly PayloadDifference[];
  /** Shows the step where one arose; absent where that is on the screen already. */
  readonly toStep?: (step: number) => void;
}

export function Differences({ title, differences, toStep }: DifferencesProps) {
  return (
    <div class="differences">
      <h3>{title}</h3>
      <ul>
        {differences.map(({ field, step, agent, wanted }, at) => (
          <li key={at}>
            <p>
              <code>{field}</code>{' '}
              {toStep !== undefined && step !== null && step > 0 ? (
                <button type="button" class="text-button" onClick={() => toStep(step)}>
                  step {step}
                </button>
              ) : null}
            </p>
            <dl class="expected-given">
              <div class="side-expected">
                <dt>wanted</dt>
                <dd>{wanted === null ? <span class="muted">not there</span> : <JsonBlock text={wanted} />}</dd>
              </div>
              <div class="side-given">
                <dt>left by the agent</dt>
                <dd>{agent === null ? <span class="muted">not there</span> : <JsonBlock text={agent} />}</dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
    </div>
  );
}
