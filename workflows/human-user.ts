/** The conversation of an episode with a human user: each of the agent's messages is a question that waits for an answer. */

import { ApplicationFailure, condition, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { asMarkdown } from '../src/orchestration/index.ts';
import { FailureType, episodeName } from '../src/evaluation/index.ts';
import {
  findAnswerProblem,
  type Answer,
  type Conversation,
  type EpisodeInput,
  type OpenQuestion,
  type SpokenLine,
} from '../src/episode/index.ts';
import type { Deadline } from './deadline.ts';
import { answer, conversation } from './messages.ts';

/**
 * The human user in the place of the simulated one. A question waits without a timer and without a worker: its answer is
 * an update, and the conversation before it is replayed from the history.
 */
export class HumanUser {
  readonly #input: EpisodeInput;
  readonly #deadline: Deadline;
  readonly #lines: SpokenLine[] = [];
  #question: OpenQuestion | null = null;
  #asked = 0;

  /** Must be called before the workflow's first await, so that no message comes too early. */
  constructor(input: EpisodeInput, deadline: Deadline) {
    this.#input = input;
    this.#deadline = deadline;
    setHandler(conversation, (): Conversation => ({ lines: this.#lines, question: this.#question }));
    setHandler(
      answer,
      ({ text }) => {
        this.#lines.push({ who: 'user', text });
        this.#question = null;
      },
      {
        validator: (given: Answer) => {
          const problem = findAnswerProblem(given, this.#question);
          if (problem !== null) throw ApplicationFailure.nonRetryable(problem, FailureType.BadRequest);
        },
      },
    );
  }

  /** @param said the agent's words; null: the person opens the conversation */
  async ask(said: string | null): Promise<string> {
    if (said !== null) this.#lines.push({ who: 'agent', text: said });
    this.#asked += 1;
    const number = this.#asked;
    this.#question = { number, askedAt: new Date().toISOString() };
    setCurrentDetails(this.#details(said));
    try {
      await this.#deadline.uncounted(() => condition(() => this.#question === null));
    } finally {
      // Of an episode that is cancelled, nothing is asked any more.
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

/** Temporal keeps 20 kB of details, and a character has up to four bytes. */
const DETAILS_CHARS = 4_000;
