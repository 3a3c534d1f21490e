/** Indents JSON and keeps the spelling of numbers, because the benchmark distinguishes `131.0` from `131`. Pure. */

interface JsonToken {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark';
  readonly text: string;
}

/** Longest value on one line, in characters. */
const LINE = 76;
/** Deepest indentation, which bounds the text's length. */
const MAX_INDENTS = 20;

/** Splits JSON into tokens with line breaks and indentation; null unless the text is a JSON object or list. */
export function layOut(text: string): JsonToken[] | null {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return null;
  try {
    JSON.parse(trimmed);
  } catch {
    return null;
  }
  return indentTokens(tokensIn(trimmed));
}

/** Matches strings, punctuation, and other runs without space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

function tokensIn(json: string): JsonToken[] {
  const parts = json.match(TOKEN) ?? [];
  return parts.map((part, at) => {
    if (part.startsWith('"')) return { kind: parts[at + 1] === ':' ? 'key' : 'string', text: spellText(part) };
    if (part === ',' || part === ':') return { kind: 'mark', text: `${part} ` };
    return { kind: /^[[\]{}]$/.test(part) ? 'mark' : /^[-\d]/.test(part) ? 'number' : 'word', text: part };
  });
}

/** Decodes escapes of letters: `"M\u00fcller"` becomes `"Müller"`. */
function spellText(quoted: string): string {
  return JSON.stringify(JSON.parse(quoted));
}

function indentTokens(tokens: readonly JsonToken[]): JsonToken[] {
  const ends = findEnds(tokens);
  const laidOut: JsonToken[] = [];
  let depth = 0;
  const newline = () => laidOut.push({ kind: 'mark', text: `\n${'  '.repeat(Math.min(depth, MAX_INDENTS))}` });
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as JsonToken;
    const end = ends.get(at);
    if (end !== undefined && fits(tokens, at, end, LINE - 2 * depth)) {
      laidOut.push(...tokens.slice(at, end + 1));
      at = end;
    } else if (end !== undefined) {
      laidOut.push(token);
      depth++;
      newline();
    } else if (token.text === '}' || token.text === ']') {
      depth--;
      newline();
      laidOut.push(token);
    } else if (token.text === ', ') {
      laidOut.push({ kind: 'mark', text: ',' });
      newline();
    } else laidOut.push(token);
  }
  return laidOut;
}

function fits(tokens: readonly JsonToken[], from: number, to: number, space: number): boolean {
  let length = 0;
  for (let at = from; at <= to && length <= space; at++) length += tokens[at]?.text.length ?? 0;
  return length <= space;
}

/** Maps each opening bracket's position to that of its closing bracket. */
function findEnds(tokens: readonly JsonToken[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'mark') continue;
    if (text === '{' || text === '[') open.push(at);
    else if (text === '}' || text === ']') {
      const start = open.pop();
      if (start !== undefined) ends.set(start, at);
    }
  }
  return ends;
}
