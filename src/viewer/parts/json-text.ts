/** JSON laid out for people, its numbers spelt as they were written: `131.0` is not `131` to the benchmark. Pure. */

export type JsonToken = { readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark'; readonly text: string };

/** null for what is no JSON object or list. */
export function layOut(text: string): JsonToken[] | null {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return null;
  try {
    JSON.parse(trimmed);
  } catch {
    return null;
  }
  return indented(trimmed.match(TOKEN) ?? []);
}

/** Strings, punctuation, and runs of anything else but space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

function indented(parts: readonly string[]): JsonToken[] {
  const tokens: JsonToken[] = [];
  let depth = 0;
  const mark = (text: string) => tokens.push({ kind: 'mark', text });
  const newline = () => mark(`\n${'  '.repeat(depth)}`);
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1] ?? '';
    if (part === '{' || part === '[') {
      mark(part);
      if (next === '}' || next === ']') continue;
      depth++;
      newline();
    } else if (part === '}' || part === ']') {
      const before = parts[at - 1] ?? '';
      if (before !== '{' && before !== '[') {
        depth--;
        newline();
      }
      mark(part);
    } else if (part === ',') {
      mark(part);
      newline();
    } else if (part === ':') mark(': ');
    else tokens.push({ kind: kindOf(part, next), text: part.startsWith('"') ? readable(part) : part });
  }
  return tokens;
}

function kindOf(part: string, next: string): JsonToken['kind'] {
  if (part.startsWith('"')) return next === ':' ? 'key' : 'string';
  return /^[-\d]/.test(part) ? 'number' : 'word';
}

/** `"M\u00fcller"` as `"Müller"`: only what ends or breaks a string stays escaped. */
function readable(quoted: string): string {
  return JSON.stringify(JSON.parse(quoted));
}
