/** Lists of texts, in all the spellings that models use. */

import { dumpJson, isList, type PyValue } from '../../../../benchmark/python/index.ts';
import { parseLiteral } from './literal.ts';

/** A list as a JSON array, a Python list, or items set apart by commas, else by spaces. */
export function readList(text: string): string[] {
  const trimmed = text.trim();
  if (trimmed === '') return [];
  const literal = /^[[(]/.test(trimmed) ? parseLiteral(trimmed.replace(/^\(([\s\S]*)\)$/, '[$1]')) : undefined;
  if (isList(literal)) return literal.map(itemText);
  const bare = trimmed.replace(/^[[(]/, '').replace(/[\])]$/, '');
  const separator = bare.includes(',') ? ',' : /["']/.test(bare) ? null : /\s/;
  const items = separator === null ? [bare] : bare.split(separator);
  return items.map((item) => unquote(item.trim())).filter((item) => item !== '');
}

/** An item of a list as text; ints become text. */
function itemText(item: PyValue): string {
  return typeof item === 'string' ? item : dumpJson(item);
}

function unquote(text: string): string {
  return text.replace(/^(["'])([\s\S]*)\1$/, '$2').trim();
}
