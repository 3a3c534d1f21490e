/** Reads items of a large document, each as an object with only the members that a reader needs. */

import { parsePart, readJsonParts, type Choice } from './json-parts.ts';

interface ItemChoice {
  /** Path of the list; null for a file with one document, or one document per line. */
  readonly list: string | null;
  /** Members of an item to read. @default all */
  readonly members?: readonly string[];
  /** Members of the document to read beside the list. */
  readonly others?: readonly string[];
  /** Parses a part. @default as plain values */
  readonly parse?: (text: string, file: string) => unknown;
}

export type DocumentPart =
  | { readonly kind: 'item'; readonly value: unknown }
  | { readonly kind: 'member'; readonly path: string; readonly value: unknown };

/** @throws ResultsError as {@link readJsonParts} does */
export async function* readItems(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  { list, members, others = [], parse = parsePart }: ItemChoice,
): AsyncGenerator<DocumentPart, void, undefined> {
  const item = list === null ? '' : `${list}[]`;
  const choose = (path: string): Choice => {
    if (path === item) return members === undefined ? 'take' : 'open';
    if (members?.some((name) => path === join(item, name)) === true || others.includes(path)) return 'take';
    // True for a value that contains the list or another wanted member.
    const isAbove = [...(list === null ? [] : [list]), ...others].some((kept) => kept === path || isWithin(kept, path));
    return isAbove ? 'open' : 'skip';
  };
  let fields: Record<string, unknown> = {};
  for await (const { path, text } of readJsonParts(chunks, file, choose)) {
    if (text === null) {
      if (path !== item) continue;
      yield { kind: 'item', value: fields };
      fields = {};
    } else if (path === item) {
      yield { kind: 'item', value: parse(text, file) };
    } else if (others.includes(path)) {
      yield { kind: 'member', path, value: parse(text, file) };
    } else {
      const name = path.slice(item === '' ? 0 : item.length + 1);
      fields[name] = parse(text, file);
    }
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}.`) || path.startsWith(`${folder}[]`);
}
