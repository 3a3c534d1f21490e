/** An episode's calls, or a ground truth's, replayed one by one: what each of them did to the data. */

import {
  RESPOND,
  openOverlay,
  replayStep,
  sameState,
  type Action,
  type EnvData,
  type Overlay,
} from '../../benchmark/index.ts';

export interface Call {
  readonly action: Action;
  /** 1-based, among the actions that were replayed. */
  readonly step: number;
  /** The tool's answer; where the step raised, what it raised. */
  readonly observation: string;
  /** What it made of the data; null where they stayed the same: it only read, or was refused. */
  readonly change: { readonly before: Overlay; readonly after: Overlay } | null;
}

/** A call that changed the data. */
export type Write = Call & { readonly change: NonNullable<Call['change']> };

export interface ReplayedCalls {
  /** Without `respond`, which changes nothing. */
  readonly calls: readonly Call[];
  readonly state: Overlay;
  /** The first step that raised; null where none did. */
  readonly raised: { readonly step: number; readonly message: string } | null;
}

/** @param afterRaise whether steps after one that raised are taken: a ground truth's are, an episode ends there */
export function replayCalls(data: EnvData, actions: readonly Action[], afterRaise: boolean): ReplayedCalls {
  const state = openOverlay(data);
  const calls: Call[] = [];
  let raised: ReplayedCalls['raised'] = null;
  for (const [at, action] of actions.entries()) {
    const before = state.copy();
    const taken = replayStep(data, state, action, () => '');
    const observation = taken.kind === 'observed' ? taken.observation : `${taken.type}: ${taken.message}`;
    if (action.name !== RESPOND) {
      const isSame = state.writes === before.writes || sameState(data, before, state);
      calls.push({ action, step: at + 1, observation, change: isSame ? null : { before, after: state.copy() } });
    }
    if (taken.kind === 'raised') {
      raised ??= { step: at + 1, message: observation };
      if (!afterRaise) break;
    }
  }
  return { calls, state, raised };
}

/** The wanted data, and how they come about; see `groundTruthState`. */
export function replayGroundTruth(data: EnvData, actions: readonly Action[]): ReplayedCalls {
  return replayCalls(
    data,
    actions.filter(({ name }) => name !== RESPOND && !data.terminateTools.includes(name)),
    true,
  );
}

export function isWrite(call: Call): call is Write {
  return call.change !== null;
}
