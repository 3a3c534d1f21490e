/** Results files of τ³-bench's tools. */

import type { ExportedEpisode, ResultsFormat } from '../../results-format.ts';
import { checkSubmission } from './preflight.ts';
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
    let trajectories = 0;
    async function* counted(episodes: AsyncIterable<ExportedEpisode>) {
      trajectories = 0;
      for await (const episode of episodes) {
        if (episode.trajectory.length > 0) trajectories += 1;
        yield episode;
      }
    }
    return {
      write: (episodes) => tau2Results(run, counted(episodes), tasks),
      submitted: (figures, resultsFile) => {
        return { run, figures, pack, isJudgeMissing: tasks.isJudgeMissing(), trajectories, resultsFile };
      },
    };
  },
  checkSubmission,
  createSubmission,
};
