/**
 * `tauflow models [NAME]`: shows the requests that a run sends to a model; without a name, the providers and the rules.
 */

import type { Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import {
  FAMILY_RULES,
  loadModelDescription,
  findRetirement,
  handedBackOver,
  keepPricesIn,
  priceListOrigin,
  readModelList,
  refreshLists,
  type ModelDescription,
  type ListChanges,
  type PriceListOrigin,
  type Retirement,
  type RefreshResult,
} from '../../models/index.ts';
import { UsageError } from '../../errors/index.ts';
import { PROVIDERS, providerRow } from '../../models/providers.ts';
import { facts, heading, section, table, type Document } from '../../results/document/index.ts';
import { snakeKeys } from '../../run-log/index.ts';
import { printDocument } from '../terminal/print.ts';
import { usualModel, type OneModelFlags } from '../../run-setup/index.ts';

interface ModelsFlags extends Omit<OneModelFlags, 'model'> {
  readonly json?: boolean;
  readonly refresh?: boolean;
  readonly source?: readonly string[];
}

export function defineModelsCommand(command: Command, context: CliContext): void {
  command
    .argument('[name]', 'a model: openai/gpt-5.5, or gpt-5.5 with --model-provider (default: list providers and rules)')
    .option('--model-provider <name>', 'the provider that serves the model')
    .option('--reasoning-effort <level>', 'as in run')
    .option('--model-settings <json>', 'as in run')
    .option('--refresh', 'take the newest public lists of prices and models, keep them here, and show what changed')
    .option('--source <place...>', 'addresses or files of lists that --refresh takes (default: the public ones)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\n--refresh asks each provider with a key for its list of models; nothing else is sent to one. `tauflow doctor\n' +
        '--model` makes one small call.',
    )
    .action(async (name: string | undefined, flags: ModelsFlags) => {
      await showModels(name, flags, context);
    });
}

const FORMAT_VERSION = 1;

/** @throws UsageError */
async function showModels(name: string | undefined, flags: ModelsFlags, context: CliContext): Promise<void> {
  keepPricesIn(context.home);
  const { json = false, modelProvider, refresh = false, source = [] } = flags;
  if (source.length > 0 && !refresh) throw new UsageError('--source names the lists that --refresh takes; give both.');
  if (refresh) {
    if (name !== undefined)
      throw new UsageError('models --refresh takes no model; show one with a command of its own.');
    const today = new Date().toISOString().slice(0, 10);
    const refreshed = await refreshLists(source, context.home, today, context.env);
    print(json ? refreshed : toRefreshDocument(refreshed));
    return;
  }
  if (name === undefined) {
    const providers = modelProvider === undefined ? PROVIDERS : [providerRow(modelProvider)];
    const { providers: _, ...list } = await readModelList(context.home);
    const prices = priceListOrigin();
    print(json ? { providers, families: FAMILY_RULES, list, prices } : toListDocument(providers, list));
    return;
  }
  const settings = usualModel({ name, words: `models ${name}` }, flags);
  const description = await loadModelDescription(settings, context.env, context.home);
  const retirement = await findRetirement(settings, context.home);
  print(json ? { ...description, retirement } : toDocument(description, retirement));

  function print(shown: object): void {
    if (json) printJson(snakeKeys({ formatVersion: FORMAT_VERSION, ...shown }), context);
    else printDocument(shown as Document, context);
  }
}

function toDocument(model: ModelDescription, retirement: Retirement | null): Document {
  const { provider, temperature, tokenCap, effort } = model;
  const known = model.known ? model.family : 'no rule names this model: it is taken for one that does not reason';
  const address = model.url ?? `${model.path} of ${providerRow(provider).baseUrlVariable}, which is not set`;
  return [
    heading(
      `${provider}/${model.model}`,
      'What a run without further flags sends. Fields that it rejects are left out.',
    ),
    facts([
      ['family', known],
      ['wire', `${model.wire}, ${address}`],
      ['temperature', temperature.sent === null ? 'none (0 is asked for)' : String(temperature.sent)],
      ['seed', model.seedField === null ? 'none' : `as ${model.seedField}`],
      ['reasons', model.reasons ? 'yes' : 'not unless an effort is given'],
      ['reasoning effort', `${effort.sent ?? 'none is sent'}; ${describeLevels(effort)}`],
      ['token limit', describeCap(tokenCap)],
      ['JSON mode', model.jsonMode ? 'used where a strategy wants JSON' : 'not used'],
      ['handed back', model.handedBack.length === 0 ? 'messages and tool calls only' : model.handedBack.join(', ')],
      ['USD per million', describePrice(model.usdPerMillion)],
      ['prices', describeOrigin(priceListOrigin())],
      ['retires', retirement === null ? 'unknown' : describeRetirement(retirement)],
      ['listed', describeListed(model.list)],
      ['list', describeList(model.list)],
    ]),
  ];
}

function describeRetirement({ date, source, successor }: Retirement): string {
  return `${date} (${source})${successor === null ? '' : `; successor: ${successor}`}`;
}

function describeLevels({ levels, fields }: ModelDescription['effort']): string {
  const names = levels === null ? 'levels unknown' : levels.join(', ');
  return fields.length === 0 ? names : `${names}, as ${fields.join(' and ')}`;
}

function describeCap({ field, agent, user, judge }: ModelDescription['tokenCap']): string {
  if (field === null) return 'none is sent';
  return `agent ${formatTokens(agent)}, user ${formatTokens(user)}, judge ${formatTokens(judge)}, as ${field}`;
}

function formatTokens(count: number | null): string {
  return count === null ? 'none' : count.toLocaleString('en');
}

function describePrice(price: ModelDescription['usdPerMillion']): string {
  if (price === null) return 'unknown; a run takes one from --prices FILE';
  const { input, cachedInput, cacheWrite, output } = price;
  const parts = [
    ['input', input],
    ['cached input', cachedInput],
    ['cache write', cacheWrite],
    ['output', output],
  ] as const;
  return parts.flatMap(([name, usd]) => (usd === undefined ? [] : [`${name} ${String(usd)}`])).join(', ');
}

function describeOrigin({ source, taken }: PriceListOrigin): string {
  return taken === null ? `${source}; \`tauflow models --refresh\` takes the newest` : `${source}, ${taken}`;
}

const MOST_NAMES = 20;

function toRefreshDocument({ prices, models, contradictions = [], asked = [] }: RefreshResult): Document {
  return [
    ...(prices === undefined ? [] : [section('Prices of models', facts(describeChanges(prices)))]),
    ...(models === undefined ? [] : [section('Facts about models', facts(describeChanges(models)))]),
    ...(asked.length === 0 ? [] : [section('Dates in lists of providers', facts([['taken from', asked.join(', ')]]))]),
    ...(models === undefined
      ? []
      : [
          section(
            'New facts that the rules contradict: update Tauflow, or name the flags',
            facts([['rules', describeNames(contradictions)]]),
          ),
        ]),
  ];
}

function describeChanges(changes: ListChanges): (readonly [string, string])[] {
  return (['added', 'removed', 'changed'] as const).map((kind) => [kind, describeNames(changes[kind])]);
}

function describeNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  return `${String(names.length)}: ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ', …' : ''}`;
}

function describeList({ source, taken, licence }: Omit<ModelDescription['list'], 'facts'>): string {
  return `${source}, ${taken} (${licence})`;
}

function describeListed({ facts: found, taken }: ModelDescription['list']): string {
  if (found === null) return `no: it is newer than the list of ${taken}, or has another name`;
  const shown = Object.entries(found).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(' ') : String(value);
    return `${name.replaceAll('_', ' ')} ${text}`;
  });
  return shown.join(', ');
}

function toListDocument(providers: typeof PROVIDERS, list: Omit<ModelDescription['list'], 'facts'>): Document {
  return [
    section(
      'Providers, over chat completions',
      table(
        ['provider', 'seed', 'token limit', 'JSON', 'handed back'].map((head) => ({ head })),
        providers.map((row) => [
          row.name,
          row.seedField ?? 'none',
          row.tokenCapField === null ? 'none' : (row.tokenCapField ?? 'max_tokens'),
          { none: 'no', schema: 'schema only', any: 'yes' }[row.jsonFormat ?? 'any'],
          handedBackOver('chat', row).join(', '),
        ]),
        true,
      ),
    ),
    section(
      'Rules by model family; the first whose names match',
      table(
        ['family', 'wire', 'temperature', 'efforts', 'reasons'].map((head) => ({ head })),
        FAMILY_RULES.map(({ family, temperature, reasons, efforts = [], wires = {} }) => [
          family,
          describeWires(wires),
          TEMPERATURES[temperature],
          efforts.length < 2 ? efforts.join('') : `${String(efforts[0])} to ${String(efforts.at(-1))}`,
          reasons ? 'yes' : 'no',
        ]),
        true,
      ),
    ),
    section(
      'Lists in force',
      facts([
        ['models', describeList(list)],
        ['prices', describeOrigin(priceListOrigin())],
      ]),
    ),
  ];
}

/** Describes the default wires: `responses (openai, azure)`; chat for other providers. */
function describeWires(wires: Readonly<Record<string, string>>): string {
  const [wire = 'chat'] = Object.values(wires);
  return wire === 'chat' ? wire : `${wire} (${Object.keys(wires).join(', ')})`;
}

const TEMPERATURES = {
  any: 'any',
  default: 'its own only',
  without_effort: 'any without an effort',
  with_effort_none: 'any with effort none',
} as const;
