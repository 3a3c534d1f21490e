/**
 * Blocks a command for one step if the same text gave the same result again within a turn, as FastWorkflow 3.6.0 does.
 */

export class Repeats {
  readonly #results = new Map<string, string>();
  #repeated: string | undefined;
  #closed: string | undefined;

  /** @returns true if the command may not be used in this step */
  isClosed(name: string): boolean {
    return name === this.#closed;
  }

  /** Records the result of a command that ran. */
  note(name: string, text: string, executed: { readonly kind: string; readonly response?: string }): void {
    if (executed.kind !== 'ran' || executed.response === undefined) return;
    const key = text.trim().split(/\s+/).join(' ');
    if (this.#results.get(key) === executed.response) this.#repeated = name;
    this.#results.set(key, executed.response);
  }

  /** Ends a step, with any tool. */
  endStep(): void {
    this.#closed = this.#repeated;
    this.#repeated = undefined;
  }
}
