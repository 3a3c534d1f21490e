/** One session of an OpenEnv environment: a WebSocket on which messages are answered in order. */

import { randomUUID } from 'node:crypto';
import { WebSocket } from 'undici';
import { isObject, jsonObject, type Fields } from '../../io/index.ts';
import { EnvironmentServiceError, type ServiceObservation } from './port.ts';

export interface OpenEnvPlace {
  readonly url: string;
  readonly key: string | null;
  /** Name of the service in messages. */
  readonly name: string;
  readonly timeoutMs: number;
}

/** Largest message, in characters. */
const MOST_CHARS = 2 * 1024 * 1024;
/** Codes of errors of a session, not of an action. */
const OF_SESSION: ReadonlySet<unknown> = new Set(['CAPACITY_REACHED', 'FACTORY_ERROR', 'SESSION_ERROR']);

export class OpenEnvSession {
  readonly life = randomUUID();
  /** The rewards of the session's steps. */
  readonly rewards: number[] = [];
  /** Number of calls that were made. */
  callCount = 0;
  isOpen = true;
  readonly #place: OpenEnvPlace;
  readonly #socket: WebSocket;
  #last: { readonly key: string; readonly answer: Promise<ServiceObservation> } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(place: OpenEnvPlace, socket: WebSocket) {
    this.#place = place;
    this.#socket = socket;
  }

  static async open(place: OpenEnvPlace): Promise<OpenEnvSession> {
    const url = `${place.url.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`;
    const headers = place.key === null ? {} : { authorization: `Bearer ${place.key}` };
    const socket = new WebSocket(url, { headers });
    const session = new OpenEnvSession(place, socket);
    socket.addEventListener('close', () => (session.isOpen = false));
    await session.#awaitEvent('open');
    return session;
  }

  close(): void {
    this.isOpen = false;
    this.#socket.close();
  }

  /** Makes a call once: a repeated request with the key of the latest call gets that call's answer. */
  async call(key: string, make: () => Promise<ServiceObservation>): Promise<ServiceObservation> {
    if (this.#last?.key !== key) {
      const made = { key, answer: make() };
      this.#last = made;
      made.answer.catch(() => {
        if (this.#last === made) this.#last = undefined;
      });
    }
    return await this.#last.answer;
  }

  /** Returns true if the key is that of the latest call, which was already made. */
  hasMade(key: string): boolean {
    return this.#last?.key === key;
  }

  /**
   * Resets the environment, or takes a step.
   * @returns the observation, whether the episode has ended, and the message of an error of the action
   */
  async act(type: 'reset' | 'step', data: Fields): Promise<{ observation: Fields; done: boolean; problem?: string }> {
    const { type: answered, data: said } = await this.ask({ type, data });
    if (answered === 'error') return { observation: {}, done: false, problem: String(said['message']) };
    const { observation, reward, done } = said;
    if (!isObject(observation)) throw this.#fault('invalid', `answered ${type} without an observation`);
    if (type === 'step' && (typeof reward === 'number' || typeof reward === 'boolean'))
      this.rewards.push(Number(reward));
    return { observation, done: done === true };
  }

  /** Sends a message after the answer to the previous one. */
  async ask(message: Fields): Promise<{ readonly type: string; readonly data: Fields }> {
    const answer = this.#turn.then(async () => {
      if (!this.isOpen) throw this.#fault('outage', 'has closed its session');
      const heard = this.#awaitEvent('message');
      this.#socket.send(JSON.stringify(message));
      return this.#read(await heard);
    });
    this.#turn = answer.catch(() => undefined);
    return await answer;
  }

  #read(text: string): { readonly type: string; readonly data: Fields } {
    const { type, data } = text.length > MOST_CHARS ? {} : (jsonObject(text) ?? {});
    if (typeof type !== 'string' || !isObject(data)) {
      throw this.#fault('invalid', `answered with what is no message: ${text.slice(0, 200)}`);
    }
    if (type === 'error' && OF_SESSION.has(data['code'])) {
      this.close();
      throw this.#fault('outage', `has no session: ${String(data['message']).slice(0, 200)}`);
    }
    return { type, data };
  }

  /** @returns the text of a message; empty for any other event */
  async #awaitEvent(kind: 'open' | 'message'): Promise<string> {
    const socket = this.#socket;
    const ended = new AbortController();
    try {
      return await new Promise<string>((resolve, reject) => {
        const { signal } = ended;
        const fail = (what: string) => {
          this.isOpen = false;
          reject(this.#fault('outage', what));
        };
        const timer = setTimeout(() => {
          fail(`did not answer within ${this.#place.timeoutMs / 1_000} s`);
          socket.close();
        }, this.#place.timeoutMs);
        signal.addEventListener('abort', () => clearTimeout(timer));
        socket.addEventListener(kind, (event) => resolve('data' in event ? String(event.data) : ''), { signal });
        socket.addEventListener('close', () => fail('has closed its session'), { signal });
        socket.addEventListener('error', () => fail('does not answer'), { signal });
      });
    } finally {
      ended.abort();
    }
  }

  #fault(fault: 'outage' | 'invalid', what: string): EnvironmentServiceError {
    return new EnvironmentServiceError(fault, `${this.#place.name} ${what}`);
  }
}
