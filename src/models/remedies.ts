/** Remedies for refused requests: the flag that removes or changes the setting that the provider's message names. */

import type { WireName } from '../agents/index.ts';
import { ModelCallError } from './failures.ts';

/** Role whose model was refused. The judge has the same flags as the agent. */
type RefusedSide = 'agent' | 'user';

interface Remedy {
  /** Matches a message of at most 500 characters. */
  readonly words: RegExp;
  /** @default any */
  readonly wire?: WireName;
  readonly advice: (side: RefusedSide) => string;
}

const toFlagPrefix = (side: RefusedSide) => (side === 'user' ? '--user-' : '--');
const formatSettingsFlag = (side: RefusedSide) => `${toFlagPrefix(side)}model-settings`;

const CAP: Remedy = {
  words: /max_(?:completion_|output_)?tokens/i,
  advice: (side) => `set ${toFlagPrefix(side)}max-completion-tokens to a lower number, or to none`,
};

/** Remedies by words of a provider's message. The first that fits is printed. */
const REMEDIES: readonly Remedy[] = [
  CAP,
  {
    words: /a stream of events/,
    advice: (side) => `ask for none with ${formatSettingsFlag(side)} '{"extra_body": {"stream": false}}'`,
  },
  {
    words: /v1\/responses|responses api/i,
    advice: (side) => `call the model with ${formatSettingsFlag(side)} '{"wire": "responses"}'`,
  },
  {
    words: /thought_?signature|reasoning_content|reasoning_details|encrypted_content|thinking.{0,40}blocks?\b/i,
    advice: (side) =>
      'the model wants its own reasoning back, and what is between it and Tauflow has dropped it: ' +
      `name its own provider with ${toFlagPrefix(side)}model-provider, or another wire with ${formatSettingsFlag(side)}`,
  },
  {
    words: /reasoning[_. ]?effort|output_config\.effort|\beffort\b/i,
    advice: (side) => `name another level with ${toFlagPrefix(side)}reasoning-effort, or none at all`,
  },
  {
    words: /\btemperature\b/i,
    advice: (side) =>
      side === 'user'
        ? `leave the temperature out of ${formatSettingsFlag(side)}`
        : 'leave it out with --temperature default',
  },
  { words: /\btop_?p\b/i, advice: (side) => `leave top_p out of ${formatSettingsFlag(side)}` },
  {
    words:
      /model_not_found|\b(?:unknown|invalid|no such) model\b|\bmodels?\b.{0,200}(?:not found|not exist|unknown|not a valid|not available|not supported)/i,
    advice: (side) => `check the name given with ${toFlagPrefix(side)}model`,
  },
  {
    // Most servers of chat completions lack this path, and answer nothing else.
    words: /^404\b/,
    wire: 'responses',
    advice: (side) => `call a server without the Responses API with ${formatSettingsFlag(side)} '{"wire": "chat"}'`,
  },
];

/**
 * Adds the flag that helps to an error, if the provider's message names a setting.
 * @param wire API form of the request
 */
export function withRemedy(error: unknown, side: RefusedSide, wire: WireName = 'chat'): unknown {
  if (!(error instanceof ModelCallError)) return error;
  const { message, type, isTimeout } = error.failure;
  if (isTimeout === true) return withAdvice(error, '--call-timeout sets the time');
  if (type === 'NotACompletion') return withAdvice(error, adviseAddress(side, wire));
  if (type === 'QuotaExceeded' && TOO_MANY_TOKENS.test(message)) return withAdvice(error, CAP.advice(side));
  if (type !== 'RequestRefused') return error;
  const remedy = REMEDIES.find((known) => (known.wire ?? wire) === wire && known.words.test(message));
  if (remedy === undefined) return error;
  return withAdvice(error, remedy.advice(side));
}

function withAdvice({ failure }: ModelCallError, advice: string): ModelCallError {
  return new ModelCallError({ ...failure, message: `${failure.message} (${advice})` });
}

/** Matches a refusal because of the token cap, which counts towards the account's limit or credit. */
const TOO_MANY_TOKENS = /request too large|fewer max_tokens/i;

function adviseAddress(side: RefusedSide, wire: WireName): string {
  return `check the address of the provider, and the wire of ${formatSettingsFlag(side)}, which is ${wire}`;
}
