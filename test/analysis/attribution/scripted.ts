/** Episodes of the scripted model as they would be recorded, each with the flaw that is known of it. */

import { replayStep, openOverlay, grade, RESPOND, STOP_MARKER, type Action } from '../../../src/benchmarks/index.ts';
import type { AnalyzedEpisode } from '../../../src/analysis/index.ts';
import type { AnalyzedStep } from '../../../src/analysis/testing.ts';
import { judgeTask, userReply, type Flaw, type Script } from '../../../src/scripted-model/testing.ts';
import { ScriptedResponder } from '../../../src/scripted-model/index.ts';
import { formatPackKey, type Pack } from '../../../src/benchmarks/testing.ts';

const MAX_STEPS = 30;

export interface FlawedEpisode {
  readonly name: string;
  readonly episode: AnalyzedEpisode;
  readonly flaw: Flaw;
  readonly script: Script;
}

/** One episode of every task and seed, all of them flawed where their task allows it. */
export function* flawedEpisodes(pack: Pack, split: string, seeds: number): Generator<FlawedEpisode> {
  const responder = new ScriptedResponder([pack], judgeTask);
  const packKey = formatPackKey(pack);
  for (const [taskId, task] of (pack.splits[split] ?? []).entries()) {
    for (let seed = 0; seed < seeds; seed++) {
      const script = responder.script({ packKey, split, taskId, seed }, 0);
      const { flaw, moves } = script;
      if (flaw === null) continue;
      const played = play(pack, moves);
      const actions = played.steps.map(({ action }) => action);
      const graded = grade(pack, task, actions, { hash: () => '' });
      const isDone = played.outcome === 'user_stop' || played.outcome === 'transferred';
      const reward = isDone && graded.kind === 'graded' ? graded.grade.reward : 0;
      yield {
        name: `${pack.domain} ${split} ${String(taskId)} s${String(seed)}`,
        episode: { task, opening: null, reward, ...played },
        flaw,
        script,
      };
    }
  }
}

type Played = Pick<AnalyzedEpisode, 'steps' | 'outcome' | 'unreadable' | 'error'>;

/** Plays an episode as the workflow does: a call that cannot be read or taken ends it. */
function play(pack: Pack, moves: Script['moves']): Played {
  const state = openOverlay(pack);
  const steps: AnalyzedStep[] = [];
  const ended = (outcome: string): Played => ({ steps, outcome, unreadable: null, error: null });
  for (const move of moves) {
    if (steps.length === MAX_STEPS) return ended('max_steps');
    if (move.kind === 'call' && move.garbled === true) {
      const message = 'the arguments are not JSON';
      return {
        ...ended('agent_error'),
        unreadable: message,
        error: { kind: 'invalid_tool_arguments', message },
      };
    }
    const action: Action =
      move.kind === 'call' ? move.action : { name: RESPOND, kwargs: new Map([['content', move.text]]) };
    const taken = replayStep(pack, state, action, () => (move.kind === 'say' ? userReply(move.text) : ''));
    if (taken.kind === 'raised') {
      return { ...ended('agent_error'), error: { kind: 'invalid_action', message: taken.message } };
    }
    steps.push({ action, observation: taken.observation });
    if (taken.done) return ended(taken.observation.includes(STOP_MARKER) ? 'user_stop' : 'transferred');
  }
  return ended('max_steps');
}
