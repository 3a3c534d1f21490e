/** τ³-bench's content. */

import type { BenchmarkContent } from '../../content.ts';
import { domains, tau3Domains } from '../domains.ts';
import { listVerdicts } from '../grade-parts.ts';
import { preparedTask } from '../grade-episode.ts';
import { agentSystemPrompt } from '../prompts.ts';
import { regradeTau3 } from '../regrade.ts';
import { openTau3Replayer } from '../replay.ts';
import { tau2Format } from '../results/format.ts';
import { PREFIX } from '../rules.ts';
import { toTermination } from '../termination.ts';
import { checkTruth } from './check-truth.ts';
import { GUIDELINES_FILE, USER_TOOLS_FILE, assemblePack } from './read.ts';

export { GUIDELINES_FILE, USER_TOOLS_FILE } from './read.ts';
export { readToml } from './toml.ts';

export const tau3Content: BenchmarkContent = {
  name: 'tau3',
  title: 'τ³-bench',
  publishedUser: 'gpt-4.1',
  domains,
  prefix: PREFIX,
  packPrefix: 'tau3-',
  importCommand: 'npx tauflow data import --benchmark tau3',
  isNamedInManifest: true,
  takesImportedPack: true,
  // The leaderboard's tasks.
  defaults: { taskSplit: 'base', maxSteps: 200 },
  allowsOutsideSteps: false,
  requiredFiles(name) {
    const domain = tau3Domains.get(name);
    const userTools = domain?.user === undefined ? [] : [USER_TOOLS_FILE];
    return [...(domain?.files ?? []), ...userTools, GUIDELINES_FILE, 'tools.json', 'wiki.md'].sort();
  },
  assemble: assemblePack,
  agentSystemPrompt,
  openReplayer: openTau3Replayer,
  regrade: (episode, task, deps) => regradeTau3(episode, preparedTask(deps.data, task), deps),
  recordedFacts(end, grade) {
    const verdicts = grade === null ? [] : listVerdicts(grade);
    return { termination_reason: toTermination(end), ...(verdicts.length === 0 ? {} : { nl_assertions: verdicts }) };
  },
  results: tau2Format,
  checkTruth,
};
