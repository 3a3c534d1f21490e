/** Options that are fields of a run's configuration, from the table of the configuration. */

import type * as z from 'zod';
import { CONFIG, CONFIG_FIELDS, LIMIT_KEYS, formatHelp, type LimitKey } from '../../evaluation/index.ts';
import type * as kinds from '../../evaluation/kinds.schema.ts';
import { HIDDEN, type OptionEntry } from './entry.ts';

type ConfigFields = typeof CONFIG;
type ConfigOptionKey = {
  [K in keyof ConfigFields]: ConfigFields[K] extends { option: object } ? K : never;
}[keyof ConfigFields];
type ConfigOptions = {
  readonly [K in ConfigOptionKey as ConfigFields[K]['option']['name']]: Omit<OptionEntry, 'schema'> & {
    readonly key: K;
    readonly isLeftOut: ConfigFields[K] extends { isOptional: true } ? true : false;
    readonly schema: (as: typeof kinds) => z.ZodDefault<ReturnType<ConfigFields[K]['option']['read']>>;
  };
};

export const CONFIG_OPTIONS = Object.fromEntries(
  [...CONFIG_FIELDS].flatMap(([key, { is, isOptional = false, option, unit }]) => {
    if (option === undefined) return [];
    const { name, flag, help, helpIn, isEssential, suggested, read, default: value } = option;
    const entry: OptionEntry = {
      flags: {
        [flag]: formatHelp(option, unit),
        ...(typeof value === 'boolean' ? { [flag.replace('--', '--no-')]: HIDDEN } : {}),
      },
      helpIn: { ...(is === 'limit' ? { set: help } : {}), ...helpIn },
      ...(isEssential === undefined ? {} : { isEssential }),
      ...(suggested === undefined ? {} : { suggested }),
      schema: (as) => read(as).default(value),
      key,
      isLeftOut: isOptional,
    };
    return [[name, entry]];
  }),
) as ConfigOptions;

/** Options that can change while a run is in progress. */
export const CONFIG_LIMITS: readonly ConfigFields[LimitKey]['option']['name'][] = LIMIT_KEYS.map(
  (key) => CONFIG[key].option.name,
);
