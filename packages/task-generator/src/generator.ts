/** The interface of a domain's generator. */

import type { DumpableValue, PyDict } from '../../../src/benchmarks/python/index.ts';
import type { GenerateOptions, GenerateSettings, OptionRules, SizeName } from './options.ts';
import type { Random } from './random.ts';
import type { DrawOptions } from './tasks/draw-tasks.ts';
import type { DomainTexts } from './texts.ts';

/** Sizes that only this domain has, in the order of the command in the pack's source. */
export type SettledSizes = Readonly<Partial<Record<SizeName, number>>>;

export interface GeneratedDomain {
  /** The environment's tables in the domain's order. */
  readonly tables: PyDict;
  readonly texts: DomainTexts;
  /** @throws PackError when the model is too small for that many different tasks */
  readonly drawTasks: (random: Random, options: DrawOptions) => DumpableValue[];
}

export interface DomainGenerator {
  readonly rules: OptionRules;
  /** @throws PackError for sizes that no pack can have */
  readonly settleSizes: (options: GenerateOptions, settings: GenerateSettings) => SettledSizes;
  readonly make: (random: Random, settings: GenerateSettings, sizes: SettledSizes) => GeneratedDomain;
}
