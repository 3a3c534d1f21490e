/** Why an episode's reward is what it is, in words: short ones, for one line of a table. */

import { jsonPath, type RecordDiff } from '../../benchmark/index.ts';
import { formatFloat } from '../../benchmark/python/index.ts';
import { listWords } from '../../packs/index.ts';
import { isSameReward, STEP_LIMIT, type RegradedRecord } from './regrade.ts';

/** Records and fields that are named; the rest are counted. */
const MAX_NAMED = 2;

/** What kept the episode from a reward of one, the most telling first; empty where nothing did. */
export function reasons(record: RegradedRecord): string[] {
  const { ending, rewardInfo, executedActions, dataDiffs } = record;
  switch (ending.kind) {
    case 'recorded_error':
      return [`ended in error: ${ending.message}`];
    case 'unreadable':
      return [`message ${String(executedActions + 1)} of the agent is no action: ${ending.message}`];
    case 'raised':
      return [`raised ${ending.message}`];
    case 'not_done':
      return [
        executedActions >= STEP_LIMIT ? `out of steps (${String(executedActions)})` : 'not done',
        ...wouldBe(record),
      ];
    case 'user_stop':
    case 'transferred':
    case 'unknown':
      break;
    default:
      ending satisfies never;
  }
  const found: string[] = [];
  if (rewardInfo?.numberSpellingOnly === true) found.push('only the spelling of numbers differs');
  if (dataDiffs.length > 0) found.push(describeDiffs(dataDiffs));
  const missing = missingOutputs(record);
  if (missing.length > 0) found.push(`not told: ${missing.map((output) => JSON.stringify(output)).join(', ')}`);
  return found;
}

/** Why the replayed reward is another than the recorded one; null where it is the same. */
export function explainDifference(record: RegradedRecord): string | null {
  if (isSameReward(record)) return null;
  const { recordedRewardInfo, refusedWrites } = record;
  const why = record.replayedReward === 1 ? ['the data are right, and all was told'] : reasons(record);
  const [first] = refusedWrites;
  if (first !== undefined && record.replayedReward === 0) {
    const more = refusedWrites.length === 1 ? '' : ` and ${String(refusedWrites.length - 1)} more`;
    why.push(`logged as done, refused by the benchmark's tool: ${first.action} (${first.replayed})${more}`);
  }
  const { r_actions: actions, r_outputs: outputs } = recordedRewardInfo?.info ?? {};
  const recorded = [
    ...(typeof actions === 'number' ? [`r_actions ${formatFloat(actions)}`] : []),
    ...(typeof outputs === 'number' ? [`r_outputs ${formatFloat(outputs)}`] : []),
  ];
  if (recorded.length > 0) why.push(`the file says ${recorded.join(', ')}`);
  return why.join('; ');
}

/** What the user was not told of what the task asks for. */
export function missingOutputs({ rewardInfo }: RegradedRecord): string[] {
  if (rewardInfo?.detail.kind !== 'outputs') return [];
  return rewardInfo.detail.outputs.filter(([, isTold]) => !isTold).map(([output]) => output);
}

function wouldBe({ wouldBe: graded, dataDiffs }: RegradedRecord): string[] {
  if (graded?.kind !== 'graded') return [];
  if (graded.info.reward === 1) return ['the data are right, and all was told'];
  return dataDiffs.length > 0 ? [describeDiffs(dataDiffs)] : [];
}

function describeDiffs(diffs: readonly RecordDiff[]): string {
  const named = diffs.slice(0, MAX_NAMED).map(({ table, id, fields }) => {
    const paths = fields.slice(0, MAX_NAMED).map(({ path }) => (path.length === 0 ? 'the whole' : jsonPath(path)));
    const more = fields.length - paths.length;
    return `${table} ${id} (${paths.join(', ')}${more > 0 ? ` +${String(more)}` : ''})`;
  });
  const more = diffs.length - named.length;
  return `data: ${listWords([...named, ...(more > 0 ? [`${String(more)} more`] : [])])}`;
}
