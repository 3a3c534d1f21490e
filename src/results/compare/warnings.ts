/** What has to be known before a comparison is believed, one sentence each. Pure. */

import type { Concern, SettingDifference } from './settings.ts';
import { isRagged, scoredRows, trialsPerTask } from '../metrics/index.ts';
import { raggedRemark } from '../report/index.ts';
import type { ComparedRun } from './run.ts';

/** What the warnings are drawn from. */
export interface Doubts {
  readonly runs: readonly ComparedRun[];
  /** Why tasks of one number are not the same task, where they are compared all the same. */
  readonly otherTasks: string | null;
  readonly settings: readonly SettingDifference[];
  /** Tasks that all have. */
  readonly tasks: number;
}

export function warningsOf({ runs, otherTasks, settings, tasks }: Doubts): string[] {
  const of = (concern: Concern) => settings.filter((setting) => setting.concern === concern);
  const unknown = runs.filter(({ manifest }) => manifest === null).map(({ runId }) => runId);
  const warnings: string[] = [];
  if (otherTasks !== null) {
    warnings.push(
      `DIFFERENT TASKS, compared because it was asked for: ${otherTasks}. Tasks are matched by their numbers, which may ` +
        'not be the same tasks.',
    );
  }
  if (of('conditions').length > 0) {
    const names = of('conditions').map(({ name }) => name);
    warnings.push(`Not only the agents differ: ${names.join(', ')}. The difference of the scores is also theirs.`);
  }
  const parts = new Set(of('agent').map(({ name }) => partOf(name)));
  if (parts.size > 1) {
    warnings.push(
      `The agents differ in ${String(parts.size)} things at once (${[...parts].join(', ')}): how much each of them does cannot be told.`,
    );
  }
  if (settings.some(({ name }) => name === 'num_trials')) {
    warnings.push('The numbers of trials differ: each task counts once all the same, and pass^k is of other k.');
  }
  for (const { runId, rows } of runs) {
    const scored = scoredRows(rows);
    const ragged = { trials: new Set(scored.map(({ trial }) => trial)).size, trialsPerTask: trialsPerTask(scored) };
    if (ragged.trialsPerTask === null || !isRagged(ragged)) continue;
    warnings.push(
      `${runId}: ${raggedRemark(ragged.trialsPerTask, ragged.trials)} The verdict is over the trials that there are.`,
    );
  }
  if (unknown.length > 0) {
    warnings.push(
      `Of ${unknown.join(', ')} only results are known: whether tasks, simulated user and settings are the same cannot be told.`,
    );
  }
  if (tasks > 0 && tasks < FEWEST_TASKS) {
    warnings.push(
      `With ${tasks === 1 ? 'one task' : `${String(tasks)} tasks`} no difference can be shown, whatever the rewards: it ` +
        `takes ${String(FEWEST_TASKS)}.`,
    );
  }
  return warnings;
}

/** Five tasks that all differ the same way have p = 2/2⁵ = 0.0625. */
const FEWEST_TASKS = 6;

/** `agent_model.temperature` and `agent_model.model` are one thing: another model often wants another temperature. */
function partOf(name: string): string {
  if (name === 'strategy' || name.startsWith('strategy_options.agent_file')) return 'strategy';
  const [first = '', second = ''] = name.split('.');
  return first === 'strategy_options' || first === 'role_models' ? `${first}.${second}` : first;
}
