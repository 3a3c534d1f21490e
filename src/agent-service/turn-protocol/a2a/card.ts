/** Reads the cards of A2A agents, which are not trusted. */

import { AgentCard as CardCodec, type AgentCard, type AgentInterface, type SecurityScheme } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import * as z from 'zod';
import { ModelCallError } from '../../../models/index.ts';
import { FailureType } from '../../../evaluation/index.ts';
import {
  A2A_EXTENSION,
  exchangeWithAgent,
  failure,
  toAgentFailure,
  formatAgentName,
  type A2aTools,
  type AgentService,
  type AskOptions,
} from '../http.ts';
import { parsedJson } from '../../../io/index.ts';

export interface FoundCard {
  readonly card: AgentCard;
  /** The form of tools that the agent announces with the extension; null: it does not announce it. */
  readonly announced: A2aTools | null;
  readonly name: string;
  readonly version: string | null;
}

/** Paths of cards, of protocol 0.3 and earlier. */
const PLACES = ['.well-known/agent-card.json', '.well-known/agent.json'];
const MOST_CHARS = 80;

/** The fields by which a card of either version is recognized. */
const someCard = z.looseObject({
  name: z.string(),
  version: z.string().optional(),
  // Ranks the statuses of several paths: a refused card matters more than a missing one.
  capabilities: z.looseObject({}),
  supportedInterfaces: z.array(z.unknown()).optional(),
  url: z.string().optional(),
});

/**
 * Looks for the card below the agent's URL, then at its host's root.
 * @throws ModelCallError without an answer or a usable card
 */
export async function findCard(service: AgentService, options: AskOptions): Promise<FoundCard> {
  let answered: CardReply | undefined;
  for (const url of cardUrls(service.url)) {
    const reply = await exchangeWithAgent({ ...service, url, label: formatAgentName(service) }, null, {}, options);
    const { status, body } = reply;
    const read = status === 200 ? someCard.safeParse(parsedJson(body)).data : undefined;
    if (read !== undefined && (read.supportedInterfaces !== undefined || read.url !== undefined)) {
      return readCard(service, read);
    }
    if (answered === undefined || rankStatus(status) > rankStatus(answered.reply.status)) answered = { url, reply };
  }
  throw noCard(service, answered);
}

interface CardReply {
  readonly url: string;
  readonly reply: Awaited<ReturnType<typeof exchangeWithAgent>>;
}

/** Ranks statuses of several paths: a refused card is more important than a missing one. */
function rankStatus(status: number): number {
  if (status === 401 || status === 403) return 3;
  if (status === 404 || status === 405 || status === 410) return 0;
  return status >= 200 && status <= 299 ? 1 : 2;
}

function noCard(service: AgentService, answered: CardReply | undefined): ModelCallError {
  if (answered === undefined) return failure(service, FailureType.RequestRefused, 'has no place for an agent card');
  const { url, reply } = answered;
  const { status } = reply;
  const { pathname } = new URL(url);
  if (rankStatus(status) === 1) {
    return failure(service, FailureType.RequestRefused, `has no agent card at ${pathname}; check --agent-url`, status);
  }
  const { failure: refused } = toAgentFailure(service, { ...reply, body: '' });
  const isMissing = rankStatus(status) === 0;
  const what = isMissing
    ? `has no agent card: ${pathname} is answered ${status}; check --agent-url`
    : `answered ${status} to the request for its agent card at ${pathname}${adviceOn(status, service)}`;
  return new ModelCallError({ ...refused, message: failure(service, refused.type, what).message });
}

function adviceOn(status: number, { key = null }: AgentService): string {
  if (status !== 401 && status !== 403) return '';
  return key === null
    ? '; set TAUFLOW_AGENT_KEY to its key'
    : '; check TAUFLOW_AGENT_KEY, whose value was sent as a bearer token';
}

function cardUrls(agentUrl: string): string[] {
  const url = new URL(agentUrl);
  if (url.pathname.endsWith('.json')) return [agentUrl];
  const base = new URL(url.pathname.endsWith('/') ? '.' : `${url.pathname}/`, url.origin + url.pathname);
  const bases = base.pathname === '/' ? [base] : [base, new URL('/', url)];
  return bases.flatMap((each) => PLACES.map((place) => new URL(place, each).href));
}

function readCard(service: AgentService, read: z.infer<typeof someCard>): FoundCard {
  let card: AgentCard;
  try {
    const isOld = (read.supportedInterfaces ?? []).length === 0;
    card = isOld
      ? new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).normalizeAgentCard(read)
      : CardCodec.fromJSON(read);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw failure(service, FailureType.RequestRefused, `has a card that cannot be read: ${why}`);
  }
  const extensions = card.capabilities?.extensions ?? [];
  const foreign = extensions.find(({ required, uri }) => required && uri !== A2A_EXTENSION);
  if (foreign !== undefined) {
    throw failure(
      service,
      FailureType.RequestRefused,
      `requires the A2A extension ${shortText(foreign.uri)}, which is not spoken here`,
    );
  }
  const own = extensions.find(({ uri }) => uri === A2A_EXTENSION);
  const tools = own?.params?.['tools'] === 'mcp' ? 'mcp' : 'data';
  return {
    card: { ...card, supportedInterfaces: usableInterfaces(service, card) },
    announced: own === undefined ? null : tools,
    name: shortText(read.name),
    version: read.version === undefined ? null : shortText(read.version),
  };
}

/** A short text without control characters of terminals. */
function shortText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .slice(0, MOST_CHARS)
    .trim();
}

/** Returns the supported interfaces at the agent's own host; another host gets neither the conversation nor the key. */
function usableInterfaces(service: AgentService, { supportedInterfaces }: AgentCard): AgentInterface[] {
  const spoken = supportedInterfaces.filter(({ protocolBinding: binding, protocolVersion: version }) => {
    return /^(JSONRPC|HTTP\+JSON)$/i.test(binding) && /^(0\.3|1)(\.|$)/.test(version);
  });
  if (spoken.length === 0) {
    const offers = supportedInterfaces.map((each) => `${each.protocolBinding} ${each.protocolVersion}`).join(', ');
    const what = `offers no A2A over JSON-RPC or HTTP+JSON of version 1.0 or 0.3 (its card has ${shortText(offers) || 'none'})`;
    throw failure(service, FailureType.RequestRefused, what);
  }
  const own = spoken.flatMap((each) => {
    const url = ownUrl(each.url, service.url);
    return url === null ? [] : [{ ...each, url }];
  });
  if (own.length === 0) {
    const at = shortText(spoken[0]?.url ?? '');
    throw failure(
      service,
      FailureType.RequestRefused,
      `has a card that leads to another host (${at}); give --agent-url as it is there`,
    );
  }
  return own;
}

/** Returns the interface's URL, at the known host if it names its own machine; null for another host. */
function ownUrl(given: string, agentUrl: string): string | null {
  const asked = new URL(agentUrl);
  if (!URL.canParse(given, asked.href)) return null;
  const url = new URL(given, asked);
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  if (url.hostname === asked.hostname) return url.protocol === 'http:' && asked.protocol === 'https:' ? null : url.href;
  if (!OWN_MACHINE.test(url.hostname)) return null;
  // Servers put the address that they listen on into their card.
  return new URL(`${url.pathname}${url.search}`, asked).href;
}

const OWN_MACHINE = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** Headers and query that carry the key. */
interface KeyPlace {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Places the key as the card requires; as a bearer token by default.
 * @throws ModelCallError if the card requires a key that is not set, or another kind of authentication
 */
export function placeKey(service: AgentService, card: AgentCard): KeyPlace {
  const { key = null } = service;
  const wanted = card.securityRequirements
    .map(({ schemes }) => Object.keys(schemes))
    .filter((names) => names.length > 0);
  if (wanted.length === 0) return key === null ? NO_KEY : BEARER(key);
  const fitting = wanted.find((names) => names.every((name) => isKnown(card.securitySchemes[name])));
  if (fitting === undefined) {
    throw failure(
      service,
      FailureType.NotAuthorised,
      'has a card that asks for something else than an API key or a bearer token',
    );
  }
  if (key === null)
    throw failure(
      service,
      FailureType.NotAuthorised,
      'has a card that asks for a key; set TAUFLOW_AGENT_KEY on the worker',
    );
  const places = fitting.map((name) => toKeyPlace(card.securitySchemes[name], key));
  return {
    headers: Object.assign({}, ...places.map(({ headers }) => headers)) as KeyPlace['headers'],
    query: Object.assign({}, ...places.map(({ query }) => query)) as KeyPlace['query'],
  };
}

const NO_KEY: KeyPlace = { headers: {}, query: {} };
const BEARER = (key: string): KeyPlace => ({ headers: { authorization: `Bearer ${key}` }, query: {} });
/** Matches names that may carry a key, which headers of the connection may not. */
const KEY_NAME = /^(?!(?:host|connection|content-.*|transfer-encoding|accept.*|te|upgrade|expect)$)[\w-]{1,64}$/i;

function isKnown(given: SecurityScheme | undefined): boolean {
  const scheme = given?.scheme;
  switch (scheme?.$case) {
    case 'apiKeySecurityScheme':
      return /^(header|query|cookie)$/i.test(scheme.value.location) && KEY_NAME.test(scheme.value.name);
    case 'httpAuthSecurityScheme':
      return /^(bearer|basic)$/i.test(scheme.value.scheme);
    case 'oauth2SecurityScheme':
    case 'openIdConnectSecurityScheme':
      return true;
    case 'mtlsSecurityScheme':
    case undefined:
      return false;
  }
}

function toKeyPlace(given: SecurityScheme | undefined, key: string): KeyPlace {
  const scheme = given?.scheme;
  if (scheme?.$case === 'apiKeySecurityScheme') {
    const { name, location } = scheme.value;
    switch (location.toLowerCase()) {
      case 'query':
        return { headers: {}, query: { [name]: key } };
      case 'cookie':
        return { headers: { cookie: `${name}=${encodeURIComponent(key)}` }, query: {} };
      default:
        return { headers: { [name.toLowerCase()]: key }, query: {} };
    }
  }
  if (scheme?.$case === 'httpAuthSecurityScheme' && /^basic$/i.test(scheme.value.scheme)) {
    return { headers: { authorization: `Basic ${Buffer.from(key).toString('base64')}` }, query: {} };
  }
  return BEARER(key);
}
