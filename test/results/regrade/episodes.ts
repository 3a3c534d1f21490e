/** Played episodes as the entries of results files, in the forms that tau-bench's agents give them. */

import {
  StateHasher,
  RESPOND,
  STOP_MARKER,
  type EnvData,
  type Action,
  type Task,
  type TrajectoryForm,
} from '../../../src/benchmarks/index.ts';
import { detectForm, type ResultsFileEntry } from '../../../src/benchmarks/results.ts';
import { replay } from '../../../src/benchmarks/testing.ts';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import { sha256Hashing } from '../../../src/io/index.ts';
import { regradeEntry, type RegradedRecord } from '../../../src/results/regrade/index.ts';
import { parseResults } from '../../../src/results/files/testing.ts';

export interface Played {
  readonly messages: readonly object[];
  /** Actions up to the one that ended the episode. */
  readonly actions: readonly Action[];
}

/** @param replies what the user says in turn; then it stops the episode */
export function play(
  data: EnvData,
  actions: readonly Action[],
  replies: readonly string[] = [],
  form: TrajectoryForm = 'tools',
): Played {
  const users = [...replies, ...actions.map(() => STOP_MARKER)];
  const { steps } = replay(data, actions, users);
  const messages: object[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'Hello' },
  ];
  const executed: Action[] = [];
  for (const [at, step] of steps.entries()) {
    const action = actions[at];
    if (action === undefined || step.kind === 'raised') break;
    executed.push(action);
    messages.push(...(form === 'text' ? textMessages : toolMessages)(action, step.observation));
    if (step.done) break;
  }
  return { messages, actions: executed };
}

function toolMessages({ name, kwargs }: Action, observation: string): object[] {
  if (name === RESPOND) return spoken(kwargs.get('content') ?? null, observation);
  const call = { id: 'call_1', type: 'function', function: { name, arguments: dumpJson(kwargs) } };
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', name, content: observation },
  ];
}

function textMessages({ name, kwargs }: Action, observation: string): object[] {
  const content = `Thought:\nso be it\nAction:\n${dumpJson({ name, arguments: kwargs })}`;
  return spoken(content, name === RESPOND ? observation : `API output: ${observation}`);
}

function spoken(content: unknown, observation: string): object[] {
  return [
    { role: 'assistant', content },
    { role: 'user', content: observation },
  ];
}

/** Entry of a results file for an episode, written and read again. */
export function entry(messages: readonly object[], fields: object = {}): ResultsFileEntry {
  const written = dumpJson([{ task_id: 0, reward: 0, info: {}, traj: messages, trial: 0, ...fields }]);
  const [read] = parseResults(written, 'results.json');
  if (read === undefined) throw new Error('nothing was read');
  return read;
}

export function regraded(data: EnvData, task: Task, given: ResultsFileEntry): RegradedRecord {
  const hasher = new StateHasher(data, sha256Hashing);
  return regradeEntry(given, 0, task, { data, hasher, form: detectForm([given]) });
}
