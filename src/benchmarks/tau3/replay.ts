/** Replays episodes of τ³-bench: each call's observation, and the hashes of both databases after it. */

import { openOverlay, type EnvData } from '../overlay.ts';
import type { Replayer } from '../replay.ts';
import type { Hashing } from '../state-hasher.ts';
import { callTool } from './call.ts';
import { tau3Domains } from './domains.ts';
import { openTau3Hashers } from './hashers.ts';

export function openTau3Replayer(data: EnvData, hashing: Hashing | null): Replayer {
  const domain = tau3Domains.get(data.domain);
  if (domain === undefined) throw new Error(`this version has no domain ${data.domain}`);
  const hashers = hashing === null ? undefined : openTau3Hashers(data, hashing);
  return {
    startsInTasks: true,
    line(start, { name, taskId, steps }) {
      const state = openOverlay(start);
      return {
        name,
        task_id: taskId,
        steps: steps.map(({ action, given }) => {
          const { requestor, name: tool, kwargs } = action;
          const result = callTool(domain, state, {
            requestor: requestor ?? 'assistant',
            name: tool,
            arguments: kwargs,
          });
          const hashes = hashers && { db: hashers.agent.hash(state), user_db: hashers.user?.hash(state) };
          return { ...(requestor === undefined ? {} : { requestor }), ...given, ...result, ...hashes };
        }),
      };
    },
  };
}
