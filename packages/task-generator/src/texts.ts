/** Texts of a pack: the prompts that all domains share, and a domain's own. */

import type { DumpableValue } from '../../../src/benchmarks/python/index.ts';
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
  readonly tools: DumpableValue;
}

/** The content of `user-prompts.json`. */
export function userPromptsFor({ name, kind }: DomainTexts['brand']): DumpableValue {
  const filled = JSON.stringify(userPrompts).replaceAll('{name}', name).replaceAll('{kind}', kind);
  return JSON.parse(filled) as DumpableValue;
}

/** The content of `terminate_tools.json` in every domain. */
export const TERMINATE_TOOLS: readonly string[] = ['transfer_to_human_agents'];
