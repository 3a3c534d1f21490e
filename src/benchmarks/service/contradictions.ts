/**
 * Finds contradictions in a service's answers: another answer to the same request, and digests of states that do not
 * fit the calls. It remembers the latest episodes of this process.
 */

import { LRUCache } from 'lru-cache';
import { sha256, type Fields } from '../../io/index.ts';
import type {
  CallRequest,
  GradeRequest,
  ServiceCall,
  ServiceGrade,
  ServiceObservation,
  ServiceStart,
  ServiceState,
  StartRequest,
} from './port.ts';

/** Most answers in memory: some 50 MB. */
const MOST_ANSWERS = 20_000;
/** Longest part of an answer that is stored literally and quoted in messages, in characters. */
const KEPT_CHARS = 1_000;
const QUOTED_CHARS = 160;

interface RememberedAnswer {
  readonly digest: string;
  /** Fields of the answer as shortened JSON, with their digests. */
  readonly fields: ReadonlyMap<string, { readonly digest: string; readonly shown: string }>;
}

/** Each method returns the contradiction, as a description of the service's behavior; null: none. */
export class AnswerMemory {
  readonly #answers = new LRUCache<string, RememberedAnswer>({ max: MOST_ANSWERS });
  readonly #states = new LRUCache<string, ServiceState>({ max: MOST_ANSWERS });

  /** @param replays false: each start of an episode belongs to another life of the service */
  rememberStart(request: StartRequest, { life, ...start }: ServiceStart, replays: boolean): string | null {
    const place = { ...request, life };
    return (
      (replays ? this.#remember('start', [request], { ...start }) : null) ??
      this.#fitState(stateKey(place, []), start.state, 'at the start')
    );
  }

  rememberCall(request: CallRequest, answer: ServiceObservation): string | null {
    const { call, calls } = request;
    const what = `call of ${call.name}`;
    const again = this.#remember(what, [request.episode, stateKey(request, calls), call, request.idempotencyKey], {
      ...answer,
    });
    if (again !== null) return again;
    if (answer.changed) return this.#fitState(stateKey(request, [...calls, call]), answer.state, `after a ${what}`);
    return this.#fitState(
      stateKey(request, calls),
      answer.state,
      `after a ${what} that has changed nothing ("changed": false)`,
    );
  }

  rememberGrade({ calls, messages, endedBy, verdicts, ...place }: GradeRequest, grade: ServiceGrade): string | null {
    return this.#remember('grade', [place.episode, stateKey(place, calls), messages, endedBy, verdicts ?? null], {
      ...grade,
    });
  }

  #remember(what: string, identity: readonly unknown[], answer: Fields): string | null {
    const key = sha256([JSON.stringify([what, ...identity])]);
    const made = toRemembered(answer);
    const earlier = this.#answers.get(key);
    if (earlier === undefined) {
      this.#answers.set(key, made);
      return null;
    }
    if (earlier.digest === made.digest) return null;
    for (const [name, { digest, shown }] of made.fields) {
      const before = earlier.fields.get(name);
      if (before?.digest === digest) continue;
      const [first, second] = quoteBoth(before?.shown ?? 'nothing', shown);
      return `answered the same ${what} differently: ${name} was ${first}, and is now ${second}`;
    }
    throw new Error('two answers differ in no field');
  }

  #fitState(key: string, state: ServiceState, when: string): string | null {
    const known = this.#states.get(key);
    if (known === undefined) {
      this.#states.set(key, state);
      return null;
    }
    for (const of of ['agent', 'user'] as const) {
      if (known[of] === null || state[of] === null || known[of] === state[of]) continue;
      const [before, now] = quoteBoth(known[of], state[of]);
      return `answered two digests for one state of the ${of === 'agent' ? "agent's" : "user's"} data: ${before} before, and ${now} ${when}`;
    }
    return null;
  }
}

type CallIdentity = Pick<CallRequest, 'domain' | 'options' | 'episode' | 'task' | 'life'>;

/**
 * Returns the key of an episode's state after `calls`. All episodes of a task begin in the same state, and a run
 * requests it once for all of them. If calls cannot be repeated, the state also depends on the service's life.
 */
function stateKey({ domain, options, episode, task, life }: CallIdentity, calls: readonly ServiceCall[]): string {
  const made = calls.map(({ requestor, name, arguments: given }) => [requestor, name, given]);
  const of = made.length === 0 && life === undefined ? null : episode;
  return sha256([JSON.stringify([domain, options, of, task, life ?? null, made])]);
}

function toRemembered(answer: Fields): RememberedAnswer {
  const fields = new Map(
    Object.entries(answer).map(([name, value]) => {
      const json = JSON.stringify(value) ?? 'nothing';
      return [name, { digest: sha256([json]), shown: json.slice(0, KEPT_CHARS) }] as const;
    }),
  );
  return { digest: sha256([JSON.stringify(Array.from(fields, ([name, { digest }]) => [name, digest]))]), fields };
}

/** Shortens two texts to the parts where they differ. */
function quoteBoth(first: string, second: string): readonly [string, string] {
  let same = 0;
  while (same < first.length && first[same] === second[same]) same += 1;
  const start = same < QUOTED_CHARS / 2 ? 0 : same - QUOTED_CHARS / 4;
  const quote = (text: string) => {
    const end = start + QUOTED_CHARS;
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
  };
  return [quote(first), quote(second)];
}
