/**
 * The language of training phrases, and draws from it: `(a|b)` is one of several, `[a]` may be left out, `{slot}` is a
 * value. Draws are pseudo-random from a seed: equal seeds give equal texts.
 */

/** Draws a whole number from 0 to below `below`. */
export type Draw = (below: number) => number;

/** Creates a linear congruential generator (Numerical Recipes' constants), of which the high bits are used. */
export function createTrainingDraw(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

export function pick<T>(draw: Draw, items: readonly [T, ...T[]] | readonly T[]): T {
  const item = items[draw(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

type Node = string | { readonly slot: string } | { readonly oneOf: readonly (readonly Node[])[] };

const parsed = new Map<string, readonly Node[]>();

/** Draws one of the texts that a template allows. */
export function fill(template: string, slots: Readonly<Record<string, (draw: Draw) => string>>, draw: Draw): string {
  let nodes = parsed.get(template);
  if (nodes === undefined) {
    const reader = { template, at: 0 };
    nodes = readSequence(reader);
    if (reader.at < template.length) throw new Error(`the template closes what it did not open: ${template}`);
    parsed.set(template, nodes);
  }
  const write = (node: Node): string => {
    if (typeof node === 'string') return node;
    if ('oneOf' in node) return pick(draw, node.oneOf).map(write).join('');
    const slot = slots[node.slot];
    if (slot === undefined) throw new Error(`the template has an unknown slot: ${node.slot}`);
    return slot(draw);
  };
  return nodes.map(write).join('').replace(/ +/g, ' ').trim();
}

interface Reader {
  readonly template: string;
  at: number;
}

function readSequence(reader: Reader): Node[] {
  const nodes: Node[] = [];
  while (reader.at < reader.template.length) {
    const plain = /^[^()[\]{}|]+/.exec(reader.template.slice(reader.at))?.[0];
    if (plain !== undefined) {
      nodes.push(plain);
      reader.at += plain.length;
      continue;
    }
    const sign = reader.template.charAt(reader.at);
    if (sign === '|' || sign === ')' || sign === ']') return nodes;
    reader.at++;
    if (sign === '{') {
      const end = reader.template.indexOf('}', reader.at);
      nodes.push({ slot: reader.template.slice(reader.at, end) });
      reader.at = end + 1;
    } else nodes.push(readChoice(reader, sign === '(' ? ')' : ']'));
  }
  return nodes;
}

function readChoice(reader: Reader, end: ')' | ']'): Node {
  const oneOf = [readSequence(reader)];
  while (reader.template.charAt(reader.at) === '|') {
    reader.at++;
    oneOf.push(readSequence(reader));
  }
  if (reader.template.charAt(reader.at) !== end) throw new Error(`the template lacks a ${end}: ${reader.template}`);
  reader.at++;
  return { oneOf: end === ']' ? [...oneOf, []] : oneOf };
}
