/** Hashers of τ³-bench's states, one hash for each side's database. */

import type { EnvData } from '../overlay.ts';
import { StateHasher, type Hashing } from '../state-hasher.ts';
import { tau3Domains } from './domains.ts';
import { databaseText } from './state.ts';

export function openTau3Hashers(data: EnvData, hashing: Hashing) {
  const domain = tau3Domains.get(data.domain);
  if (domain === undefined) throw new Error(`this version has no domain ${data.domain}`);
  const { assistant, user } = domain;
  return {
    agent: new StateHasher(data, hashing, { text: databaseText(assistant) }),
    user: user && new StateHasher(data, hashing, { text: databaseText(user) }),
  };
}
