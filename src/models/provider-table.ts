/**
 * Providers of completions, and how they differ from OpenAI's API, whose protocol all of them speak. Only this module
 * knows their addresses and the variables of their keys.
 *
 * As in the reference, requests contain no `tool_choice` or `parallel_tool_calls`: the providers' defaults hold, and of
 * several tool calls the strategy takes the first.
 */

/** Fields of a message or tool call that some providers want back. Groq and Mistral refuse unknown fields. */
export type HandedBack = 'reasoning_content' | 'reasoning' | 'reasoning_details' | 'extra_content';

/** Source of the prices of a provider's calls. */
type PriceSource =
  /** Calls are free. */
  | { readonly kind: 'free' }
  /** Listed in the price library under this provider id. */
  | { readonly kind: 'listed'; readonly providerId: string }
  /** Costs stay unknown. */
  | { readonly kind: 'unknown' };

export interface ProviderRow {
  readonly name: string;
  /** Other names that users may write, such as LiteLLM's prefix. */
  readonly aliases?: readonly string[];
  /** Address of the provider's API, path prefix included; null if it comes from the process or the environment. */
  readonly baseUrl: string | null;
  readonly baseUrlVariable: string;
  /**
   * Environment variable with the provider's address for Anthropic's Messages. @default none: the same address serves
   * them
   */
  readonly messagesUrlVariable?: string;
  /** Environment variable with the key; null if the provider needs none. */
  readonly keyVariable: string | null;
  /** Further variables for the key, used if the first is not set. */
  readonly keyAliases?: readonly string[];
  /** True if a server may work without a key. */
  readonly isKeyOptional?: true;
  /** Request headers and the environment variables that fill them, if set. */
  readonly headerVariables?: Readonly<Record<string, string>>;
  /** Field for the seed; null: the provider takes none, or refuses a request with one. */
  readonly seedField: 'seed' | 'random_seed' | null;
  /** Field with the cap on tokens; null to send none. @default 'max_tokens' */
  readonly tokenCapField?: 'max_completion_tokens' | null;
  /** Most tokens of a completion that is not streamed. @default as many as the model allows */
  readonly mostTokens?: number;
  /** Highest temperature that the provider's reference allows; the lowest is 0. @default unknown */
  readonly mostTemperature?: number;
  /** Formats beside plain text: `schema` is a JSON schema only. @default a JSON object, or a schema */
  readonly jsonFormat?: 'none' | 'schema';
  /** Set if the provider accepts only ids of tool calls in its own form: nine letters and digits. */
  readonly shortCallIds?: true;
  /**
   * Set if the provider refuses tool calls without the signature of the thought behind them, or a note that there is
   * none.
   */
  readonly wantsSignatures?: true;
  /** Set if the provider passes `cache_control` on to Claude, which otherwise caches nothing. */
  readonly takesCacheControl?: true;
  /** Set if the provider reports each call's cost in USD in `usage.cost`. */
  readonly reportsCost?: true;
  /** False if the provider refuses `name` in the message with a tool's result. @default true */
  readonly takesToolName?: false;
  /** Fields of the provider's replies that it wants back with the conversation, beyond those of chat completions. */
  readonly handsBack?: readonly HandedBack[];
  readonly prices: PriceSource;
  /** Source of the address if {@link baseUrl} is null. */
  readonly addressHint?: string;
}

const listedPrice = (providerId: string): PriceSource => ({ kind: 'listed', providerId });

export const PROVIDERS: readonly ProviderRow[] = [
  {
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    baseUrlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    headerVariables: { 'OpenAI-Organization': 'OPENAI_ORG_ID', 'OpenAI-Project': 'OPENAI_PROJECT_ID' },
    tokenCapField: 'max_completion_tokens',
    seedField: 'seed',
    mostTemperature: 2,
    prices: listedPrice('openai'),
  },
  {
    name: 'azure',
    baseUrl: null,
    baseUrlVariable: 'AZURE_OPENAI_BASE_URL',
    addressHint: 'https://<resource>.openai.azure.com/openai/v1',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    keyAliases: ['AZURE_API_KEY'],
    tokenCapField: 'max_completion_tokens',
    seedField: 'seed',
    mostTemperature: 2,
    prices: listedPrice('azure'),
  },
  {
    name: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    baseUrlVariable: 'ANTHROPIC_OPENAI_BASE_URL',
    // The variable of Anthropic's own package, whose addresses end before the version.
    messagesUrlVariable: 'ANTHROPIC_BASE_URL',
    keyVariable: 'ANTHROPIC_API_KEY',
    // It silently ignores both fields, so the results must not look seeded.
    seedField: null,
    jsonFormat: 'none',
    mostTemperature: 1,
    prices: listedPrice('anthropic'),
  },
  {
    name: 'gemini',
    aliases: ['google'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    baseUrlVariable: 'GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    keyAliases: ['GOOGLE_API_KEY'],
    // "Unknown name seed: Cannot find field", status 400.
    seedField: null,
    wantsSignatures: true,
    handsBack: ['extra_content'],
    mostTemperature: 2,
    prices: listedPrice('google'),
  },
  {
    name: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    baseUrlVariable: 'MISTRAL_BASE_URL',
    keyVariable: 'MISTRAL_API_KEY',
    seedField: 'random_seed',
    shortCallIds: true,
    mostTemperature: 1.5,
    prices: listedPrice('mistral'),
  },
  {
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    baseUrlVariable: 'GROQ_BASE_URL',
    keyVariable: 'GROQ_API_KEY',
    tokenCapField: 'max_completion_tokens',
    seedField: 'seed',
    // Its documentation lists messages[].name among the fields that cause a 400.
    takesToolName: false,
    mostTemperature: 2,
    prices: listedPrice('groq'),
  },
  {
    name: 'together',
    aliases: ['together_ai'],
    baseUrl: 'https://api.together.xyz/v1',
    baseUrlVariable: 'TOGETHER_BASE_URL',
    keyVariable: 'TOGETHER_API_KEY',
    keyAliases: ['TOGETHERAI_API_KEY'],
    seedField: 'seed',
    handsBack: ['reasoning_content', 'reasoning'],
    prices: listedPrice('together'),
  },
  {
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    baseUrlVariable: 'OPENROUTER_BASE_URL',
    keyVariable: 'OPENROUTER_API_KEY',
    seedField: 'seed',
    takesCacheControl: true,
    reportsCost: true,
    handsBack: ['reasoning', 'reasoning_details'],
    mostTemperature: 2,
    prices: listedPrice('openrouter'),
  },
  {
    name: 'deepseek',
    baseUrl: 'https://api.deepseek.com/v1',
    baseUrlVariable: 'DEEPSEEK_BASE_URL',
    keyVariable: 'DEEPSEEK_API_KEY',
    seedField: null,
    handsBack: ['reasoning_content'],
    mostTemperature: 2,
    prices: listedPrice('deepseek'),
  },
  {
    name: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    baseUrlVariable: 'XAI_BASE_URL',
    keyVariable: 'XAI_API_KEY',
    tokenCapField: 'max_completion_tokens',
    seedField: 'seed',
    handsBack: ['reasoning_content'],
    mostTemperature: 2,
    prices: listedPrice('x-ai'),
  },
  {
    name: 'fireworks',
    aliases: ['fireworks_ai'],
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    baseUrlVariable: 'FIREWORKS_BASE_URL',
    keyVariable: 'FIREWORKS_API_KEY',
    keyAliases: ['FIREWORKS_AI_API_KEY'],
    // "Requests with max_tokens > 4096 must have stream=true", status 400.
    mostTokens: 4_096,
    seedField: null,
    handsBack: ['reasoning_content'],
    prices: listedPrice('fireworks'),
  },
  {
    name: 'moonshot',
    aliases: ['moonshotai'],
    baseUrl: 'https://api.moonshot.ai/v1',
    baseUrlVariable: 'MOONSHOT_BASE_URL',
    keyVariable: 'MOONSHOT_API_KEY',
    seedField: null,
    handsBack: ['reasoning_content'],
    mostTemperature: 1,
    prices: listedPrice('moonshotai'),
  },
  {
    name: 'zai',
    aliases: ['z-ai'],
    baseUrl: 'https://api.z.ai/api/paas/v4',
    baseUrlVariable: 'ZAI_BASE_URL',
    keyVariable: 'ZAI_API_KEY',
    seedField: null,
    handsBack: ['reasoning_content'],
    mostTemperature: 1,
    prices: listedPrice('zai'),
  },
  {
    name: 'bedrock',
    baseUrl: null,
    baseUrlVariable: 'BEDROCK_BASE_URL',
    addressHint: 'https://bedrock-runtime.<region>.amazonaws.com/openai/v1',
    keyVariable: 'AWS_BEARER_TOKEN_BEDROCK',
    tokenCapField: 'max_completion_tokens',
    seedField: null,
    prices: listedPrice('aws'),
  },
  {
    name: 'vertex',
    aliases: ['vertex_ai'],
    baseUrl: null,
    baseUrlVariable: 'VERTEX_BASE_URL',
    addressHint:
      'https://<location>-aiplatform.googleapis.com/v1/projects/<project>/locations/<location>/endpoints/openapi',
    keyVariable: 'VERTEX_ACCESS_TOKEN',
    seedField: null,
    wantsSignatures: true,
    handsBack: ['extra_content', 'reasoning_content'],
    mostTemperature: 2,
    prices: listedPrice('google'),
  },
  {
    name: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    baseUrlVariable: 'OLLAMA_BASE_URL',
    keyVariable: 'OLLAMA_API_KEY',
    isKeyOptional: true,
    seedField: 'seed',
    handsBack: ['reasoning'],
    prices: { kind: 'free' },
  },
  {
    name: 'vllm',
    aliases: ['hosted_vllm'],
    baseUrl: 'http://127.0.0.1:8000/v1',
    baseUrlVariable: 'VLLM_BASE_URL',
    keyVariable: 'VLLM_API_KEY',
    isKeyOptional: true,
    seedField: 'seed',
    handsBack: ['reasoning_content', 'reasoning'],
    prices: { kind: 'free' },
  },
  {
    name: 'llama-cpp',
    aliases: ['llama.cpp', 'llamacpp'],
    baseUrl: 'http://127.0.0.1:8080/v1',
    baseUrlVariable: 'LLAMA_CPP_BASE_URL',
    keyVariable: 'LLAMA_CPP_API_KEY',
    isKeyOptional: true,
    seedField: 'seed',
    handsBack: ['reasoning_content'],
    prices: { kind: 'free' },
  },
  {
    name: 'lm-studio',
    aliases: ['lm_studio'],
    baseUrl: 'http://127.0.0.1:1234/v1',
    baseUrlVariable: 'LM_STUDIO_BASE_URL',
    keyVariable: 'LM_STUDIO_API_KEY',
    isKeyOptional: true,
    // "'response_format.type' must be 'json_schema' or 'text'", status 400.
    jsonFormat: 'schema',
    seedField: 'seed',
    handsBack: ['reasoning_content', 'reasoning'],
    prices: { kind: 'free' },
  },
  {
    name: 'custom',
    baseUrl: null,
    baseUrlVariable: 'CUSTOM_BASE_URL',
    addressHint: 'the address of any server that speaks OpenAI’s chat completions',
    keyVariable: 'CUSTOM_API_KEY',
    isKeyOptional: true,
    seedField: null,
    handsBack: ['reasoning_content', 'reasoning', 'reasoning_details', 'extra_content'],
    prices: { kind: 'unknown' },
  },
  {
    name: 'scripted',
    baseUrl: null,
    baseUrlVariable: 'TAUFLOW_SCRIPTED_URL',
    keyVariable: null,
    tokenCapField: null,
    seedField: 'seed',
    handsBack: ['reasoning_content'],
    prices: { kind: 'free' },
  },
];
