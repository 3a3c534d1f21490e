/**
 * Repeats requests without fields that a model does not take. If a provider answers 400 (or 422) and names a field of
 * the request, the request is repeated at once without the field. The process remembers what helped, by provider, wire,
 * model and effort, and leaves it out of later calls.
 *
 * A JSON schema as format is first replaced by the format of any JSON object, if the API has that, and then left out.
 *
 * It works on bodies below the SDKs, so that it is the same for every wire. It only searches a provider's message for
 * the request's own field names, and keeps nothing else of it.
 */

import type { WireName } from '../agents/index.ts';
import { dumpJson, isDict, isList, parseJson, type PyDict, type PyValue } from '../benchmarks/python/index.ts';

type Fetch = typeof globalThis.fetch;

/** Most repetitions of one call's request. */
const MOST_AGAIN = 4;
/** Most models that are remembered; then the oldest is forgotten. */
const MOST_MODELS = 200;
/** Most characters of a refusal to read. */
const MAX_READ = 4_000;
/** Number of messages whose fields are examined: the last ones, which have calls and their results. */
const MAX_MESSAGES = 200;

/** Fields that every request needs. Token caps are handled per wire. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'tools',
  'system',
  'instructions',
  'stream',
  'store',
]);
/** Fields that chat completions require in a message and in a tool call. */
const OF_MESSAGE: ReadonlySet<string> = new Set(['role', 'content', 'tool_calls', 'tool_call_id', 'type', 'id']);
const OF_CALL: ReadonlySet<string> = new Set(['id', 'type', 'function', 'index']);
/** Settings whose fields may be refused one at a time. */
const GROUPS = ['reasoning', 'output_config', 'text'];

const EFFORTS: ReadonlySet<string> = new Set(['reasoning_effort', 'effort']);
/** The two names of the same cap; each is replaced by the other first. */
const CAPS: Readonly<Record<string, string>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/** A path such as `temperature` or `messages[].name`. `a>b` renames a field, `a=json_object` changes its format. */
type Edit = string;

const HEADER = 'x-tauflow-left-out';

/** @param wire API form of the requests */
export function leaveOutRefused(fetch: Fetch, wire: WireName): Fetch {
  const known = new Map<string, readonly Edit[]>();
  return async (input, init) => {
    const text = init?.body;
    if (typeof text !== 'string') return await fetch(input, init);
    let body: PyDict | undefined;
    // Most models refuse nothing, and their bodies are sent without being parsed.
    let edits = known.size === 0 ? [] : (known.get(modelKey((body = parseBody(text)))) ?? []);
    for (let again = 0; ; again++) {
      const whole = body;
      const applied = whole === undefined ? [] : edits.filter((edit) => has(whole, edit));
      const sent = whole === undefined ? undefined : applied.reduce(without, whole);
      const isChanged = sent !== undefined && applied.length > 0;
      const response = await fetch(input, isChanged ? withBody(init, sent, again) : init);
      if (response.ok) {
        if (again > 0 && whole !== undefined) remember(known, modelKey(whole), edits);
        return markEdits(response, applied);
      }
      if (again === MOST_AGAIN || (response.status !== 400 && response.status !== 422)) return response;
      body ??= parseBody(text);
      const edit = findRefused(await response.clone().text(), sent ?? body, wire);
      if (edit === null || edits.includes(edit)) return response;
      edits = [...edits, edit];
    }
  };
}

/** Fields that change only the cost of an answer. */
const UNHEARD: ReadonlySet<string> = new Set(['prompt_cache_key', 'cache_control']);

/** Returns the fields that an answered request left out: `temperature`, `messages[].name`; empty: none. */
export function readLeftOut(response: Response): readonly string[] {
  const header = response.headers.get(HEADER);
  const edits = header === null ? [] : (JSON.parse(decodeURIComponent(header)) as Edit[]);
  return edits.filter((edit) => !UNHEARD.has(edit)).map(inWords);
}

function inWords(edit: Edit): string {
  const [from = '', to] = edit.split(/[>=]/);
  return to === undefined ? from : `${from} (sent as ${to})`;
}

/** Returns an edit for the field that a provider's refusal names; null if it names none that can be left out. */
export function findRefused(refusal: string, body: PyDict, wire: WireName): Edit | null {
  const read = refusal.slice(0, MAX_READ);
  // The refusal asks for another wire.
  if (read.includes('/v1/responses')) return null;
  const text = read.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const format = findSchema(body);
  if (format !== undefined && SCHEMA_REFUSED.test(text)) {
    return wire === 'messages' ? format : `${format}=json_object`;
  }
  // LM Studio takes a schema or plain text only.
  if (body.has('response_format') && OBJECT_REFUSED.test(text)) return 'response_format';
  if (!REFUSES.test(read)) return null;
  const [, parameter = ''] = /"param"\s{0,3}:\s{0,3}"([\w.[\]]{1,100})"/.exec(read) ?? [];
  const leaf = toLeaf(parameter.toLowerCase());
  const paths = listBodyPaths(body).filter((path) => !isEssential(path, wire));
  const isNamed = (path: string) => toLeaf(path) === leaf || (path.includes('.') && text.includes(path));
  const places = paths.map((path) => ({ path, at: isNamed(path) ? -1 : findPosition(toLeaf(path), text) }));
  const [first] = places.filter(({ at }) => at !== null).sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  return first === undefined ? null : toEdit(first.path, text, body);
}

/** Matches complaints about the format, its type or its schema; tools have schemas too. */
const SCHEMA_REFUSED =
  /response_?format|json_?schema|text\.format|output_config\.format|output_format|structured.?output/;

const OBJECT_REFUSED = /response_format.{0,40}must be.{0,40}json_schema/;

/** Returns the path of the format if it is a JSON schema. */
function findSchema(body: PyDict): string | undefined {
  const places: readonly (readonly [path: string, format: PyValue | undefined])[] = [
    ['response_format', body.get('response_format')],
    ['text.format', asDict(body.get('text')).get('format')],
    ['output_config.format', asDict(body.get('output_config')).get('format')],
  ];
  return places.find(([, format]) => asDict(format).get('type') === 'json_schema')?.[0];
}

const REFUSES =
  /unsupported|not support|n't support|unknown|unrecogni[sz]ed|not permitted|forbidden|not allowed|not accepted|deprecated|cannot find|unexpected|only the default|only 1 is|invalid param|invalid argument|cannot both|extraneous|no longer/i;

function toEdit(path: string, text: string, body: PyDict): Edit | null {
  const leaf = toLeaf(path);
  // A person has to change a level that the model lacks, because without it another agent would be evaluated.
  if (EFFORTS.has(leaf) && /supported values|does not support '|unsupported_value|must be one of/.test(text))
    return null;
  const other = CAPS[path];
  if (other === undefined) return path;
  // A cap that is too large is not an unknown field.
  if (/context length|too large|at most|less than|exceed/.test(text)) return null;
  return body.has(other) ? path : `${path}>${other}`;
}

/** @returns null if the name does not occur, or only as an ordinary word */
function findPosition(leaf: string, text: string): number | null {
  const name = leaf.replace(/[^\w-]/g, String.raw`\$&`);
  const isOrdinary = !leaf.includes('_') && leaf !== 'temperature' && leaf !== 'seed';
  const before = isOrdinary
    ? String.raw`(?:["'\x60.[(]|\b(?:param|parameter|argument|field|property|key)s?:? {1,3})`
    : String.raw`(?<![\w-])`;
  const at = text.search(new RegExp(String.raw`${before}${name}(?![\w-])`));
  return at === -1 ? null : at;
}

function toLeaf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function isEssential(path: string, wire: WireName): boolean {
  return ESSENTIAL.has(path) || (wire === 'messages' && path === 'max_tokens');
}

function listBodyPaths(body: PyDict): string[] {
  const paths = new Set(body.keys());
  for (const group of GROUPS) for (const key of asDict(body.get(group)).keys()) paths.add(`${group}.${key}`);
  for (const message of listDicts(body.get('messages')).slice(-MAX_MESSAGES)) {
    for (const key of message.keys()) if (!OF_MESSAGE.has(key)) paths.add(`messages[].${key}`);
    for (const call of listDicts(message.get('tool_calls'))) {
      for (const key of call.keys()) if (!OF_CALL.has(key)) paths.add(`messages[].tool_calls[].${key}`);
    }
  }
  return [...paths];
}

function has(body: PyDict, edit: Edit): boolean {
  if (edit.endsWith(AS_OBJECT)) return findSchema(body) === edit.slice(0, -AS_OBJECT.length);
  const [path = ''] = edit.split('>');
  return listBodyPaths(body).includes(path);
}

const AS_OBJECT = '=json_object';
const ANY_OBJECT: PyDict = new Map([['type', 'json_object']]);

function without(body: PyDict, edit: Edit): PyDict {
  if (edit === `response_format${AS_OBJECT}`) return new Map([...body, ['response_format', ANY_OBJECT]]);
  if (edit === `text.format${AS_OBJECT}`) {
    return new Map([...body, ['text', new Map([...asDict(body.get('text')), ['format', ANY_OBJECT]])]]);
  }
  const [path = '', other] = edit.split('>');
  const leaf = toLeaf(path);
  if (other !== undefined) return new Map([...dropKey(body, leaf), [other, body.get(leaf) ?? null]]);
  if (path.startsWith('messages[].tool_calls[].')) {
    return withDicts(body, 'messages', (message) => withDicts(message, 'tool_calls', (call) => dropKey(call, leaf)));
  }
  if (path.startsWith('messages[].')) return withDicts(body, 'messages', (message) => dropKey(message, leaf));
  const group = path.slice(0, Math.max(0, path.length - leaf.length - 1));
  if (group === '') return dropKey(body, leaf);
  const rest = dropKey(asDict(body.get(group)), leaf);
  return rest.size === 0 ? dropKey(body, group) : new Map([...body, [group, rest]]);
}

function withDicts(object: PyDict, key: string, change: (item: PyDict) => PyDict): PyDict {
  return object.has(key) ? new Map([...object, [key, listDicts(object.get(key)).map(change)]]) : object;
}

function dropKey(object: PyDict, key: string): PyDict {
  return new Map([...object].filter(([name]) => name !== key));
}

function listDicts(value: PyValue | undefined): readonly PyDict[] {
  return isList(value) ? value.map(asDict) : [];
}

function asDict(value: PyValue | undefined): PyDict {
  return isDict(value) ? value : new Map();
}

/** Parses numbers without losing their spelling (131.0, 131), because the body contains the model's own arguments. */
function parseBody(text: string): PyDict {
  return asDict(parseJson(text));
}

/** Returns a key from provider, model and effort, because some models accept a temperature only without reasoning. */
function modelKey(body: PyDict): string {
  const effort = body.get('reasoning_effort') ?? asDict(body.get('reasoning')).get('effort');
  return dumpJson([body.get('model') ?? null, effort ?? asDict(body.get('output_config')).get('effort') ?? null]);
}

function remember(known: Map<string, readonly Edit[]>, model: string, edits: readonly Edit[]): void {
  const [oldest] = known.keys();
  if (known.size >= MOST_MODELS && oldest !== undefined && !known.has(model)) known.delete(oldest);
  known.set(model, edits);
}

/** Replaces the body, and changes the idempotency key, under which a gateway would repeat the refusal. */
function withBody(init: RequestInit | undefined, body: PyDict, again: number): RequestInit {
  const headers = new Headers(init?.headers);
  headers.delete('content-length');
  const key = headers.get('idempotency-key');
  if (key !== null && again > 0) headers.set('idempotency-key', `${key}/less-${String(again)}`);
  return { ...init, headers, body: dumpJson(body) };
}

/** Marks the response, which SDKs pass on, with the edits. It removes such a header of the server. */
function markEdits(response: Response, edits: readonly Edit[]): Response {
  response.headers.delete(HEADER);
  if (edits.length > 0) response.headers.set(HEADER, encodeURIComponent(JSON.stringify(edits)));
  return response;
}
