/**
 * Finds the task of a request by the case code in a conversation, or by the instruction in a simulated user's system
 * prompt. It indexes all tasks once, and caches prompts.
 */

import { LRUCache } from 'lru-cache';
import type { Task } from '../benchmarks/index.ts';
import { formatPackKey, type Pack } from '../benchmarks/packs/index.ts';
import { episodeSeed } from '../evaluation/index.ts';
import type { CaseCode } from './case-code.ts';

export interface IndexedTask {
  readonly pack: Pack;
  readonly packKey: string;
  readonly split: string;
  readonly taskId: number;
  readonly task: Task;
}

/** The simulated user that a system prompt describes. */
export type UserPrompt =
  | { readonly kind: 'task'; readonly task: IndexedTask }
  | { readonly kind: 'no-instruction' }
  /** The pack's template, with an instruction that is not a loaded task's. */
  | { readonly kind: 'unknown-instruction' }
  | { readonly kind: 'not-a-user' };

const INSTRUCTION = '{instruction}';
/** Seed of runs that set none, and number of trials that are searched for a seed. */
const DEFAULT_SEED = 10;
const MOST_TRIALS = 20;
/** Most remembered prompts of about 2 kB each, more than the tasks of a large split. */
const REMEMBERED_PROMPTS = 2000;

export class TaskIndex {
  readonly packKeys: readonly string[];
  readonly #packs = new Map<string, Pack>();
  /**
   * Tasks by instruction. Only the first task with an instruction is stored; in the benchmark, such tasks have the same
   * ground truth.
   */
  readonly #byInstruction = new Map<string, IndexedTask>();
  readonly #longestFirst: readonly string[];
  readonly #templates: { readonly before: string; readonly after: string }[] = [];
  readonly #withoutInstruction = new Set<string>();
  readonly #prompts = new LRUCache<string, UserPrompt>({ max: REMEMBERED_PROMPTS });

  constructor(packs: readonly Pack[]) {
    for (const pack of packs) this.#add(pack);
    this.packKeys = [...this.#packs.keys()];
    this.#longestFirst = [...this.#byInstruction.keys()].sort((a, b) => b.length - a.length);
  }

  find(code: Omit<CaseCode, 'seed'>): IndexedTask | undefined {
    const pack = this.#packs.get(code.packKey);
    const task = pack?.splits[code.split]?.[code.taskId];
    if (pack === undefined || task === undefined) return undefined;
    return { pack, packKey: code.packKey, split: code.split, taskId: code.taskId, task };
  }

  /** Returns the first task with the same instruction, which is played instead. */
  playedAs(item: IndexedTask): IndexedTask {
    return this.#byInstruction.get(item.task.instruction) ?? item;
  }

  /**
   * Returns the task of an episode's seed among those that share an instruction; the first one for runs without the
   * default seed.
   */
  playedWith(item: IndexedTask, seed: number): IndexedTask {
    const { pack, packKey } = item;
    if (item.task.content === undefined && pack.environment === undefined) return item;
    for (const [split, tasks] of Object.entries(pack.splits)) {
      for (const [taskId, task] of tasks.entries()) {
        if (task.instruction !== item.task.instruction) continue;
        for (let trial = 0; trial < MOST_TRIALS; trial++) {
          if (episodeSeed(DEFAULT_SEED, { taskId, trial }) === seed) return { pack, packKey, split, taskId, task };
        }
      }
    }
    return item;
  }

  /** Reads the role from a system prompt. */
  readUserPrompt(systemPrompt: string): UserPrompt {
    const known = this.#prompts.get(systemPrompt);
    if (known !== undefined) return known;
    const found = this.#search(systemPrompt);
    this.#prompts.set(systemPrompt, found);
    return found;
  }

  #search(prompt: string): UserPrompt {
    if (this.#withoutInstruction.has(prompt)) return { kind: 'no-instruction' };
    let templateFits = false;
    for (const { before, after } of this.#templates) {
      if (prompt.length < before.length + after.length || !prompt.startsWith(before) || !prompt.endsWith(after)) {
        continue;
      }
      const written = prompt.slice(before.length, prompt.length - after.length);
      // A condition may have added a paragraph.
      const begun = this.#longestFirst.find((each) => written.startsWith(`${each}\n\n`)) ?? '';
      const task = this.#byInstruction.get(written) ?? this.#byInstruction.get(begun);
      if (task !== undefined) return { kind: 'task', task };
      templateFits = true;
    }
    if (templateFits) return { kind: 'unknown-instruction' };
    // Another harness may have its own template. The longest instruction wins, because one can contain another.
    const contained = this.#longestFirst.find((instruction) => prompt.includes(instruction));
    const task = contained === undefined ? undefined : this.#byInstruction.get(contained);
    return task === undefined ? { kind: 'not-a-user' } : { kind: 'task', task };
  }

  #add(pack: Pack): void {
    const packKey = formatPackKey(pack);
    if (this.#packs.has(packKey)) return;
    this.#packs.set(packKey, pack);
    for (const [split, tasks] of Object.entries(pack.splits)) {
      tasks.forEach((task, taskId) => {
        if (task.instruction.trim() === '' || this.#byInstruction.has(task.instruction)) return;
        this.#byInstruction.set(task.instruction, { pack, packKey, split, taskId, task });
      });
    }
    for (const { systemPrompt, systemPromptWithoutInstruction } of Object.values(pack.userPrompts.strategies)) {
      this.#withoutInstruction.add(systemPromptWithoutInstruction);
      const at = systemPrompt.indexOf(INSTRUCTION);
      if (at < 0) continue;
      this.#templates.push({ before: systemPrompt.slice(0, at), after: systemPrompt.slice(at + INSTRUCTION.length) });
    }
  }
}
