/**
 * Rules for the settings that a model accepts, by provider and model family. They decide the configuration of a run,
 * also for models that are in no list yet; tests compare them with the facts in `data/model-capabilities.json`.
 */

import type { WireName } from '../agents/index.ts';

/**
 * Temperatures that a model accepts. `any`; `default`: only its own, so none is sent; `without_effort`: any unless an
 * effort is set; `with_effort_none`: any if thinking is off, otherwise it is ignored.
 */
type Temperature = 'any' | 'default' | 'without_effort' | 'with_effort_none';

export interface Capabilities {
  /** Name to show: `GPT-5.5 and later`. */
  readonly family: string;
  readonly temperature: Temperature;
  /** True if it reasons before it answers, which counts towards the cap on its tokens. */
  readonly reasons: boolean;
  /** Levels of `reasoning_effort`, ascending, with `none` if thinking can be turned off. @default unknown */
  readonly efforts?: readonly string[];
  /** Set if requests write the effort `none` as `thinking: {type: 'disabled'}`. */
  readonly thinkingSwitch?: true;
  /** Wire of a run that sets none. */
  readonly wire: WireName;
  /** Set if function tools over chat completions are refused unless the effort is `none`. */
  readonly refusesChatTools?: true;
}

interface Family extends Omit<Capabilities, 'wire' | 'thinkingSwitch'> {
  /** Matches the model's lower-case name with any provider's prefix. */
  readonly names: RegExp;
  /** Providers whose API is known to behave this way. Elsewhere any temperature and effort are assumed. */
  readonly at: readonly string[];
  /** Providers to which {@link Capabilities.thinkingSwitch} applies. */
  readonly switchedAt?: readonly string[];
  /** Default wire by provider. @default 'chat' */
  readonly wires?: Readonly<Record<string, WireName>>;
}

const OPENAI = ['openai', 'azure', 'openrouter'];
const CLAUDE = ['anthropic', 'azure', 'openrouter', 'bedrock', 'vertex'];
const GEMINI = ['gemini', 'vertex', 'openrouter'];

/**
 * Default wire of newer OpenAI models: Responses keeps reasoning between tool calls, and takes tools with every effort.
 */
const RESPONSES = { openai: 'responses', azure: 'responses' } as const;

/**
 * Returns a pattern for names that begin so, also after a vendor or a path: `openai/gpt-5.5`,
 * `us.anthropic.claude-opus-4-8-v1:0`.
 */
const namePattern = (pattern: string) => new RegExp(`(?:^|[/.:])(?:${pattern})`);

/** Families of models. The first one with a matching name applies. */
const FAMILIES: readonly Family[] = [
  {
    family: 'GPT-5 chat models',
    names: namePattern(String.raw`gpt-5(?:\.\d+)?-(?:chat|search)`),
    at: OPENAI,
    temperature: 'any',
    reasons: false,
  },
  {
    family: 'OpenAI o-series',
    names: namePattern(String.raw`o[1-9](?:$|-)`),
    at: OPENAI,
    temperature: 'default',
    reasons: true,
    efforts: ['low', 'medium', 'high'],
    wires: RESPONSES,
  },
  {
    family: 'GPT-5 pro and codex',
    names: namePattern(String.raw`gpt-[5-9](?:\.\d+)?-(?:pro|codex)`),
    at: OPENAI,
    temperature: 'default',
    reasons: true,
    wires: RESPONSES,
  },
  {
    family: 'GPT-5',
    names: namePattern(String.raw`gpt-5(?:$|-)`),
    at: OPENAI,
    temperature: 'default',
    reasons: true,
    efforts: ['minimal', 'low', 'medium', 'high'],
    wires: RESPONSES,
  },
  {
    family: 'GPT-5.1 to 5.4',
    names: namePattern(String.raw`gpt-5\.[1-4](?:$|-)`),
    at: OPENAI,
    temperature: 'without_effort',
    reasons: true,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    wires: RESPONSES,
  },
  {
    family: 'OpenAI models that always reason',
    names: namePattern(String.raw`gpt-6-(?:astra|rosalind)|gpt-6\.1-sol|(?:gpt-)?chat-latest`),
    at: OPENAI,
    temperature: 'default',
    reasons: true,
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    refusesChatTools: true,
    wires: RESPONSES,
  },
  {
    family: 'GPT-5.5 and later',
    names: namePattern(String.raw`gpt-(?:5\.\d+|[6-9](?:\.\d+)?)(?:$|-)|(?:gpt-)?daybreak`),
    at: OPENAI,
    temperature: 'default',
    reasons: true,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    refusesChatTools: true,
    wires: RESPONSES,
  },
  {
    family: 'Claude that always thinks',
    names: namePattern(String.raw`claude-(?:(?:opus|sonnet)-(?:5[-.][5-9]|[6-9])(?!\d)|mythos|fable)`),
    at: CLAUDE,
    temperature: 'default',
    reasons: true,
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    wires: { anthropic: 'messages' },
  },
  {
    family: 'Claude Opus 4.7 and later',
    names: namePattern(String.raw`claude-(?:(?:opus|sonnet|haiku)-4[-.][7-9](?!\d)|[a-z]+-(?:[5-9]|\d\d)(?!\d))`),
    at: CLAUDE,
    temperature: 'default',
    reasons: true,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
    wires: { anthropic: 'messages' },
  },
  {
    family: 'Claude Opus 4.5, Claude 4.6',
    names: namePattern(String.raw`claude-(?:opus-4[-.]5|[a-z]+-4[-.]6)(?!\d)`),
    at: CLAUDE,
    temperature: 'without_effort',
    reasons: false,
    efforts: ['none', 'low', 'medium', 'high', 'max'],
    wires: { anthropic: 'messages' },
  },
  {
    family: 'Claude',
    names: namePattern('claude'),
    at: CLAUDE,
    temperature: 'without_effort',
    reasons: false,
    wires: { anthropic: 'messages' },
  },
  {
    family: 'Gemini 3.5 Flash-Lite, 3.6 to 3.9',
    names: namePattern(String.raw`gemini-3\.(?:5-flash-lite|[6-9])`),
    at: GEMINI,
    temperature: 'default',
    reasons: true,
    efforts: ['minimal', 'low', 'medium', 'high'],
  },
  {
    family: 'Gemini 4 Hydrogen',
    names: namePattern('gemini-4-hydrogen'),
    at: GEMINI,
    temperature: 'any',
    reasons: true,
    efforts: ['low', 'medium', 'high', 'xhigh'],
  },
  {
    family: 'Gemini 2.5 Flash',
    names: namePattern(String.raw`gemini-2\.5-flash`),
    at: GEMINI,
    temperature: 'any',
    reasons: true,
    efforts: ['none', 'minimal', 'low', 'medium', 'high'],
  },
  {
    family: 'Gemini 2.5 Pro, 3 and later',
    names: namePattern(String.raw`gemini-(?:2\.5|[3-9]|\D*latest|robotics|omni)`),
    at: GEMINI,
    temperature: 'any',
    reasons: true,
    efforts: ['minimal', 'low', 'medium', 'high'],
  },
  {
    family: 'Models that say they do not reason',
    names: /non-reasoning|non-thinking|-instruct/,
    at: [],
    temperature: 'any',
    reasons: false,
  },
  {
    family: 'DeepSeek reasoners',
    names: /deepseek-(?:r\d|reasoner|flash|v(?:[4-9]|3[.p][1-9]))/,
    at: ['deepseek'],
    temperature: 'with_effort_none',
    reasons: true,
    efforts: ['none', 'low', 'high', 'max'],
    switchedAt: ['deepseek'],
  },
  {
    family: 'Kimi K3 and later',
    names: namePattern(String.raw`kimi-k[3-9]`),
    at: ['moonshot'],
    temperature: 'default',
    reasons: true,
    efforts: ['low', 'high', 'max'],
  },
  {
    family: 'Kimi K2.7 Code',
    names: namePattern(String.raw`kimi-k2[.p]7-code`),
    at: ['moonshot'],
    temperature: 'default',
    reasons: true,
    efforts: [],
  },
  {
    family: 'Kimi K2',
    names: namePattern(String.raw`kimi-(?:k\d|latest|thinking)`),
    at: ['moonshot'],
    temperature: 'default',
    reasons: true,
    efforts: ['none'],
    switchedAt: ['moonshot'],
  },
  {
    family: 'GLM 5.3 and later',
    names: /\bglm-(?:5[.p-][3-9]|[6-9]|latest)/,
    at: ['zai'],
    temperature: 'any',
    reasons: true,
    efforts: ['low', 'high', 'max'],
  },
  {
    family: 'GLM',
    names: /\bglm-[4-9]/,
    at: ['zai'],
    temperature: 'any',
    reasons: true,
    efforts: ['none'],
    switchedAt: ['zai'],
  },
  { family: 'Qwen', names: /\bqwq|\bqwen-?[3-9]/, at: [], temperature: 'any', reasons: true },
  {
    family: 'gpt-oss',
    names: /\bgpt-oss/,
    at: [],
    temperature: 'any',
    reasons: true,
    efforts: ['low', 'medium', 'high'],
  },
  {
    family: 'Grok',
    names: namePattern('grok-(?:3-mini|[4-9]|build|code)'),
    at: [],
    temperature: 'any',
    reasons: true,
  },
  {
    family: 'Mistral with an effort',
    names: namePattern(String.raw`(?:mistral-(?:small|medium|large-4)|devstral)`),
    at: ['mistral'],
    temperature: 'any',
    reasons: false,
    efforts: ['none', 'high'],
  },
  {
    family: 'Other models that reason, by their names',
    names: /magistral|minimax-m|nemotron-3|gemma-4|thinking|reason/,
    at: [],
    temperature: 'any',
    reasons: true,
  },
];

const UNKNOWN: Capabilities = { family: 'Other models', temperature: 'any', reasons: false, wire: 'chat' };

/** The family of models that no rule names. */
export const OTHER_MODELS = UNKNOWN.family;

type FamilyRule = Omit<Family, 'names'>;

/** All rules in the order in which they are tried, then the rule for other models; for display. */
export const FAMILY_RULES: readonly FamilyRule[] = [
  ...FAMILIES.map(({ names: _, ...rule }) => rule),
  { family: OTHER_MODELS, temperature: UNKNOWN.temperature, reasons: UNKNOWN.reasons, at: [] },
];

/** Models that accept a JSON schema, by provider. A server that refuses it gets a request for a JSON object. */
const SCHEMA_MODELS: Readonly<Record<string, RegExp>> = {
  openai: namePattern(
    String.raw`gpt-4o(?!-2024-05-13|.*audio)|gpt-4\.1|gpt-[5-9](?!\.[45]-pro)|o[13-9](?:$|-(?!mini))|o[34]-mini|daybreak`,
  ),
  azure: namePattern(String.raw`gpt-4o(?!-2024-05-13|.*audio)|gpt-4\.1|gpt-[5-9](?!\.[45]-pro)|o[34](?:$|-)`),
  anthropic: namePattern(
    String.raw`claude-(?:(?:opus|sonnet|haiku)-4[-.][5-9](?!\d)|opus-4[-.]1|[a-z]+-(?:[5-9]|\d\d)(?!\d)|mythos|fable)`,
  ),
  gemini: namePattern(String.raw`gemini-(?:2\.5-(?:pro|flash)|[3-9]|(?:flash|pro).*latest)`),
  mistral: /./,
  xai: namePattern('grok-(?:[4-9]|code|build)'),
  moonshot: namePattern('kimi|moonshot'),
  // Anything else than a schema or plain text is refused.
  'lm-studio': /./,
};

/** @returns true if the model takes a JSON schema of its reply over the provider's own API */
export function takesSchema(provider: string, model: string): boolean {
  return SCHEMA_MODELS[provider]?.test(model.toLowerCase()) ?? false;
}

/**
 * @param provider the provider's own name
 * @param model the provider's name of the model
 */
export function findCapabilities(provider: string, model: string): Capabilities {
  const name = model.toLowerCase();
  const found = FAMILIES.find(({ names }) => names.test(name));
  if (found === undefined) return UNKNOWN;
  const { names: _, at, wires = {}, switchedAt = [], ...family } = found;
  const wire = wires[provider] ?? 'chat';
  const switched = switchedAt.includes(provider) ? { thinkingSwitch: true as const } : {};
  return { ...family, wire, ...switched, ...(at.includes(provider) ? {} : { temperature: 'any' }) };
}

/**
 * Levels of effort that a provider's API accepts for a model; undefined if unknown. Other levels are refused or
 * ignored.
 */
export function effortsAt(provider: string, model: string): readonly string[] | undefined {
  const name = model.toLowerCase();
  const found = FAMILIES.find(({ names }) => names.test(name));
  return found?.at.includes(provider) === true ? found.efforts : undefined;
}

/** Returns the most tokens of a model's completion; undefined if they are more than any run requests. */
export function mostTokens(model: string): number | undefined {
  const name = model.toLowerCase();
  if (/claude-3-(?:opus|sonnet|haiku)/.test(name)) return 4_096;
  if (/claude-3-5/.test(name)) return 8_192;
  return /claude-opus-4(?:[-.]?[01](?!\d)|[-@]\d{8}|$)/.test(name) ? 32_000 : undefined;
}
