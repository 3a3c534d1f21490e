/** The conversation of an episode with a human user: each of the agent's messages is a question that waits for an answer. */

import { episodeName } from '../evaluation/index.ts';
import {
  findAnswerProblem,
  type HumanAnswer,
  type SpokenConversation,
  type OpenQuestion,
  type SpokenLine,
} from './conversation.ts';
import type { EpisodeInput } from './input.ts';
import { asMarkdown } from './markdown.ts';
import type { WaitingDisplay } from './ports.ts';

/** A human user instead of a simulated one. */
export class HumanUser {
  readonly #input: EpisodeInput;
  readonly #waiting: WaitingDisplay;
  readonly #lines: SpokenLine[] = [];
  #question: OpenQuestion | null = null;
  #asked = 0;

  constructor(input: EpisodeInput, waiting: WaitingDisplay) {
    this.#input = input;
    this.#waiting = waiting;
  }

  get conversation(): SpokenConversation {
    return { lines: this.#lines, question: this.#question };
  }

  /** @returns the reason why an answer is rejected; null if it is accepted */
  findProblem(answer: HumanAnswer): string | null {
    return findAnswerProblem(answer, this.#question);
  }

  answer({ text }: HumanAnswer): void {
    this.#lines.push({ who: 'user', text });
    this.#question = null;
  }

  /** @param said the agent's message; null if the human user opens the conversation */
  async ask(said: string | null): Promise<string> {
    const { now, show, until } = this.#waiting;
    if (said !== null) this.#lines.push({ who: 'agent', text: said });
    this.#asked += 1;
    const number = this.#asked;
    this.#question = { number, askedAt: new Date(now()).toISOString() };
    show(this.#details(said));
    try {
      await until(() => this.#question === null);
    } finally {
      // A canceled episode has no open question.
      this.#question = null;
    }
    return this.#lines.at(-1)?.text ?? '';
  }

  #details(said: string | null): string {
    const { run, episode } = this.#input;
    const what = said === null ? 'open the conversation' : 'answer';
    const command = `npx tauflow chat ${run.runId} ${episodeName(episode)}`;
    return [
      `**waits for a person** to ${what}: \`${command}\``,
      ...(said === null ? [] : [`**agent**: ${asMarkdown(said.slice(0, DETAILS_CHARS))}`]),
    ].join('\n\n');
  }
}

/** Longest details in characters. Temporal keeps 20 kB, and a character has up to four bytes. */
const DETAILS_CHARS = 4_000;
