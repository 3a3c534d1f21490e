/**
 * Options of strategies. Each has one descriptor, from which its flag, help, key in config files, check, variant's name
 * and value for a resumed run derive. The module is pure, because workflow code uses it.
 */

import type { AgentFile, OptionKind, StrategyDefinition, StrategyOption, StrategyOptions } from './port.ts';

type ValueOf<K extends OptionKind> = K extends { kind: 'choice'; choices: readonly (infer C)[] }
  ? C
  : K extends { kind: 'integer' | 'number' }
    ? number
    : K extends { kind: 'boolean' }
      ? boolean
      : K extends { kind: 'text' }
        ? string | undefined
        : K extends { kind: 'list' }
          ? readonly string[]
          : K extends { kind: 'pairs' }
            ? Readonly<Record<string, string>>
            : AgentFile | undefined;

export type OptionValues<T extends readonly StrategyOption[]> = {
  readonly [O in T[number] as O['key']]: ValueOf<O['value']>;
};

/** Reads the values of options, defaults filled in. */
export function readOptions<const T extends readonly StrategyOption[]>(
  descriptors: T,
  options: StrategyOptions,
): OptionValues<T> {
  const values = descriptors.map((option) => [option.key, optionValue(option, options) ?? findDefault(option.value)]);
  return Object.fromEntries(values) as OptionValues<T>;
}

function findDefault(kind: OptionKind): unknown {
  switch (kind.kind) {
    case 'choice':
    case 'integer':
    case 'number':
      return kind.default;
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'pairs':
      return {};
    case 'text':
    case 'file':
      return undefined;
  }
}

/** @returns undefined for an option at its default */
export function optionValue({ key }: StrategyOption, options: Partial<StrategyOptions>): unknown {
  return key
    .split('.')
    .reduce<unknown>(
      (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
      options,
    );
}

/** Puts values into options by their keys. An object of options exists even if it is empty. */
export function withOptionValues(
  descriptors: readonly StrategyOption[],
  values: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const { key } of descriptors) {
    const [first = key, second] = key.split('.');
    const value = values.get(key);
    if (second !== undefined) {
      const before = options[first];
      options[first] = { ...(isObject(before) ? before : {}), ...(value === undefined ? {} : { [second]: value }) };
    } else if (value !== undefined) options[first] = value;
  }
  return options;
}

/** Returns the flag of an option, without dashes: `parameter-tries`. */
export function optionFlag({ key, flag }: StrategyOption): string {
  return flag ?? key.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the name of an option in the program and, in snake_case, in config files: `parameterTries`. */
export function optionName(option: StrategyOption): string {
  return camelCase(optionFlag(option));
}

/** Converts kebab-case: `param-extraction` → `paramExtraction`. */
export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

type ParsedOption =
  /**
   * Value of an option, or the problem of an invalid one. The value is undefined for the default, and for a file its
   * path.
   */
  { readonly value: unknown; readonly problem?: never } | { readonly value?: never; readonly problem: string };

/** Parses a value from a flag or a config file. A problem is a phrase that follows the flag in a sentence. */
export function parseOption({ value: kind }: StrategyOption, raw: unknown): ParsedOption {
  switch (kind.kind) {
    case 'choice':
      if (typeof raw !== 'string' || !kind.choices.includes(raw)) {
        return { problem: `must be ${formatChoices(kind.choices)}` };
      }
      return { value: raw === kind.default ? undefined : raw };
    case 'integer':
    case 'number':
      return parseNumber(kind, raw);
    case 'boolean':
      if (typeof raw !== 'boolean') return { problem: 'must be true or false' };
      return { value: raw ? true : undefined };
    case 'text':
    case 'file':
      if (typeof raw !== 'string') return { problem: 'must be a text' };
      return raw === '' ? { problem: 'must not be empty' } : { value: raw };
    case 'list': {
      if (!isList(raw)) return { problem: 'must be words such as a b or a,b' };
      const words = splitList(raw);
      return { value: words.length === 0 ? undefined : [...new Set(words)] };
    }
    case 'pairs':
      return parsePairs(kind, raw);
  }
}

function parseNumber(kind: Extract<OptionKind, { kind: 'integer' | 'number' }>, raw: unknown): ParsedOption {
  const isWhole = kind.kind === 'integer';
  const value = readNumeral(raw);
  if (typeof value !== 'number' || !Number.isFinite(value) || (isWhole && !Number.isInteger(value))) {
    return { problem: `must be a ${isWhole ? 'whole ' : ''}number` };
  }
  if (kind.min !== undefined && value < kind.min) return { problem: `must be at least ${kind.min}` };
  if (kind.max !== undefined && value > kind.max) return { problem: `must be at most ${kind.max}` };
  return { value: value === kind.default ? undefined : value };
}

function parsePairs({ of, to }: Extract<OptionKind, { kind: 'pairs' }>, raw: unknown): ParsedOption {
  const isTable = isObject(raw) && Object.values(raw).every((item) => typeof item === 'string');
  const given = isTable
    ? Object.entries(raw).map(([name, other]) => `${name}=${String(other)}`)
    : isList(raw) && splitList(raw);
  if (given === false) return { problem: `must be pairs such as ${of}=${to}, or an object of ${to}s by ${of}` };
  const pairs: Record<string, string> = {};
  for (const pair of given) {
    const [, name, other] = /^([\w.-]+)=([\w.-]+)$/.exec(pair) ?? [];
    if (name === undefined || other === undefined) {
      return { problem: `must be pairs such as ${of}=${to}, not "${pair}"` };
    }
    if (Object.hasOwn(pairs, name) && pairs[name] !== other) {
      return { problem: `gives the ${of} ${name} two ${to}s; name one` };
    }
    pairs[name] = other;
  }
  const unequal = Object.entries(pairs).filter(([name, other]) => name !== other);
  return { value: unequal.length === 0 ? undefined : Object.fromEntries(unequal) };
}

/** Splits `a b c`, `a,b,c`, or both mixed. */
export function splitList(value: string | readonly string[]): string[] {
  const items = typeof value === 'string' ? [value] : value;
  return items.flatMap((item) => item.split(/[\s,]+/)).filter((word) => word !== '');
}

function isList(value: unknown): value is string | readonly string[] {
  return [value].flat().every((item) => typeof item === 'string');
}

/** Parses a number as a person writes it; returns other values as they are. */
export function readNumeral(value: unknown): unknown {
  const isNumeral = typeof value === 'string' && /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value);
  return isNumeral ? Number(value) : value;
}

function formatChoices(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join('') : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`;
}

/** Keys that mean the same for every strategy, or that identify the strategy's source. */
const COMMON_KEYS: ReadonlySet<string> = new Set([
  'omitPolicy',
  'useReasoning',
  'compat',
  'decisionOnly',
  'agentFile',
  'toolCommands',
]);

/**
 * Names a strategy's own options in a few words each: `2 parameter tries`.
 * @param strategy undefined if this process does not know it; options then have the names of their keys
 */
export function optionVariants(options: StrategyOptions, strategy: StrategyDefinition | undefined): string[] {
  const known = strategy?.options ?? [];
  const keys = new Set(known.map(({ key }) => key.split('.', 1).join('')));
  const unknown = Object.keys(options)
    .filter((key) => !COMMON_KEYS.has(key) && !keys.has(key))
    .map((key): StrategyOption => ({ key, help: '', value: { kind: 'text' } }));
  return [...known, ...unknown].flatMap((option) => {
    const value = optionValue(option, options);
    if (value === undefined || option.variant === null) return [];
    return [option.variant?.replaceAll('{}', formatValue(value)) ?? formatVariant(option, value)];
  });
}

function formatVariant({ key }: StrategyOption, value: unknown): string {
  const words = key.replaceAll('.', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (value === true) return words;
  return typeof value === 'object' ? `${words} ${formatValue(value)}` : `${formatValue(value)} ${words}`;
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(' ');
  if (!isObject(value)) return String(value);
  if (typeof value['digest'] === 'string') return value['digest'].slice(0, 12);
  return Object.entries(value)
    .map(([name, item]) => `${name}=${formatValue(item)}`)
    .join(' ');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
