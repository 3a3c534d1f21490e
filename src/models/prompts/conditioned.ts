/** A pack under a condition: the texts that agents and simulated users see of it. */

import {
  renameInText,
  renameTool,
  requireCondition,
  runPlace,
  type NameFacts,
  type RunCondition,
  type ToolSchema,
} from '../../conditions/index.ts';
import { dumpJson, isDict, isList, parseJson, type PyList, type PyValue } from '../../benchmarks/python/index.ts';
import type { Pack } from '../../benchmarks/packs/index.ts';

/** Packs by condition, each created once. */
const known = new WeakMap<Pack, Map<string, Pack>>();

/**
 * @param condition absent: the pack as it is
 * @throws MissingCondition for a condition from a file that this process does not have
 */
export function packUnderCondition(pack: Pack, condition: RunCondition | undefined): Pack {
  if (condition === undefined) return pack;
  const packs = known.get(pack) ?? new Map<string, Pack>();
  known.set(pack, packs);
  const key = JSON.stringify(condition);
  const changed = packs.get(key) ?? changePack(pack, condition);
  packs.set(key, changed);
  return changed;
}

function changePack(pack: Pack, ref: RunCondition): Pack {
  const { texts, persona } = requireCondition(ref);
  const { names } = ref;
  let { policy, systemPrompt, tools, fewShotDisplays, userPrompts } = pack;
  if (names !== undefined) {
    const renamed = (text: string): string => renameInText(text, names);
    policy = renamed(policy);
    systemPrompt = systemPrompt === undefined ? undefined : renamed(systemPrompt);
    tools = toList(listTools(pack).map((tool) => renameTool(tool, names)));
    fewShotDisplays = fewShotDisplays?.map(renamed);
  }
  if (texts !== undefined) {
    const changed = texts({ policy, systemPrompt, tools: listTools({ tools }) }, runPlace(ref));
    policy = changed.policy;
    systemPrompt = changed.systemPrompt;
    tools = toList(changed.tools);
  }
  if (persona !== undefined) userPrompts = withPersona(userPrompts, persona);
  return { ...pack, policy, systemPrompt, tools, fewShotDisplays, userPrompts };
}

function listTools({ tools }: Pick<Pack, 'tools'>): readonly ToolSchema[] {
  return JSON.parse(dumpJson(tools)) as readonly ToolSchema[];
}

function toList(tools: readonly ToolSchema[]): PyList {
  const list = parseJson(JSON.stringify(tools));
  return isList(list) ? list : [];
}

const INSTRUCTION = '{instruction}';

/** Puts the paragraph after the task's instruction, or at the end of a prompt that contains one task. */
function withPersona(prompts: Pack['userPrompts'], persona: string): Pack['userPrompts'] {
  const added = (prompt: string): string =>
    prompt.includes(INSTRUCTION)
      ? prompt.replace(INSTRUCTION, () => `${INSTRUCTION}\n\n${persona}`)
      : `${prompt}\n\n${persona}`;
  const strategies = Object.entries(prompts.strategies).map(([name, texts]) => [
    name,
    { ...texts, systemPrompt: added(texts.systemPrompt) },
  ]);
  return { ...prompts, strategies: Object.fromEntries(strategies) as Pack['userPrompts']['strategies'] };
}

/** Matches values in a pack's data and ground truth that look like names. */
const LIKE_A_NAME = /^[a-z]+(?:[_-][a-z]+)*$/;

/** Returns the names and values of a pack for a condition that renames them. */
export function nameFacts(pack: Pack): NameFacts {
  const fields = new Set<string>();
  const values = new Set<string>();
  const walk = (value: PyValue): void => {
    if (typeof value === 'string' && LIKE_A_NAME.test(value)) values.add(value);
    else if (isList(value)) value.forEach(walk);
    else if (isDict(value)) {
      for (const [key, item] of value) {
        if (LIKE_A_NAME.test(key)) fields.add(key);
        walk(item);
      }
    }
  };
  for (const table of pack.tables.values()) walk(table);
  for (const { actions } of Object.values(pack.splits).flat()) {
    for (const { kwargs } of actions) [...kwargs.values()].forEach(walk);
  }
  const tools = listTools(pack);
  enumsIn(tools).forEach((value) => values.add(value));
  return { tools, fields: [...fields], values: [...values] };
}

function enumsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) =>
    key === 'enum' && Array.isArray(value) ? value.filter((each) => typeof each === 'string') : enumsIn(value),
  );
}
