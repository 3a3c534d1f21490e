/** Links that keep an episode as a file. */

import type { RunKey } from '../address.ts';
import { apiPath } from '../server.ts';

interface DownloadsProps {
  readonly id: RunKey;
  readonly taskId: number;
  readonly trial: number;
}

export function Downloads({ id, taskId, trial }: DownloadsProps) {
  const path = apiPath('runs', id, 'episodes', taskId, trial);
  const name = `${id}.task-${String(taskId)}.trial-${String(trial)}`;
  return (
    <p class="row">
      <a class="button" href={`${path}.json`} download={`${name}.json`}>
        Download JSON
      </a>
      <a class="button" href={`${path}.md`} download={`${name}.md`}>
        Download Markdown
      </a>
    </p>
  );
}
