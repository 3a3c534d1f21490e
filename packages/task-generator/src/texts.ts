/** Texts of a pack: the prompts that all domains share, and a domain's own. */

import type { Dumpable } from '../../../src/benchmarks/python/index.ts';
import userPrompts from '../data/user-prompts.json' with { type: 'json' };

/** A domain's texts in its data file. */
export interface DomainTexts {
  readonly brand: {
    readonly name: string;
    /** Noun with its article: `a shop`. */
    readonly kind: string;
  };
  /** Lines of `wiki.md`. */
  readonly policy: readonly string[];
  readonly rules: readonly string[];
  readonly tools: Dumpable;
}

/** The content of `user-prompts.json`. */
export function userPromptsFor({ name, kind }: DomainTexts['brand']): Dumpable {
  const filled = JSON.stringify(userPrompts).replaceAll('{name}', name).replaceAll('{kind}', kind);
  return JSON.parse(filled) as Dumpable;
}

/** The content of `terminate_tools.json` in every domain. */
export const TERMINATE_TOOLS: readonly string[] = ['transfer_to_human_agents'];
