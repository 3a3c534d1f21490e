/** Results files of τ³-bench's tools. */

import type { ResultsFormat } from '../../results-format.ts';
import { readSimulations, simulationsIn } from './read.ts';
import { createSubmission } from './submission.ts';
import { tau2Tasks } from './tasks.ts';
import { tau2Results } from './write.ts';

export const tau2Format: ResultsFormat = {
  title: 'τ³-bench',
  name: 'tau2',
  help: "results.json for τ³-bench's tools (`tau2 view`), and submission.json for its leaderboard where it takes the run",
  fileName: 'tau2/results.json',
  resultsIn: simulationsIn,
  read: readSimulations,
  open(run, pack) {
    const tasks = tau2Tasks(run, pack);
    const baseTasks = pack?.splits['base']?.length ?? null;
    return {
      write: (episodes) => tau2Results(run, episodes, tasks),
      submission: (figures, resultsFile) =>
        createSubmission({ run, figures, baseTasks, isJudgeMissing: tasks.isJudgeMissing(), resultsFile }),
    };
  },
};
