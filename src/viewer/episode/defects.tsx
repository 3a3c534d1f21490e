/** Defects of a task that the pack's audit found: its score may not be the agent's fault. */

import type { PayloadRun } from '../../results/page/index.ts';

export function Defects({ run, taskId }: { readonly run: PayloadRun; readonly taskId: number }) {
  const defects = run.notes?.defects.filter((defect) => defect.taskId === taskId) ?? [];
  return (
    <>
      {defects.map(({ severity, sentence }, at) => (
        <div key={at} class="finding is-warn">
          <p class="finding-title">
            <span aria-hidden="true">⚠</span> <strong>known defect of the task</strong>
            <span class="tag">{severity}</span>
          </p>
          <p>{sentence}</p>
        </div>
      ))}
      {run.notes?.doNothing.includes(taskId) === true ? (
        <div class="finding is-warn">
          <p class="finding-title">
            <span aria-hidden="true">⚠</span> <strong>solved by doing nothing</strong>
          </p>
          <p>An agent that does and says nothing gets the reward of this task.</p>
        </div>
      ) : null}
    </>
  );
}
