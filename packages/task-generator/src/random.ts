/**
 * Seeded randomness. The same seed gives the same sequence on every machine and in every version of Node, because
 * only 32-bit integer arithmetic is used (sfc32, seeded by a string hash).
 */
export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#seed = seed;
    this.#a = hash(`${seed}/a`);
    this.#b = hash(`${seed}/b`);
    this.#c = hash(`${seed}/c`);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** Creates an independent stream, whose draws do not change this one's. */
  fork(label: string): Random {
    return new Random(`${this.#seed}/${label}`);
  }

  /** Returns a number in [0, 1). */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return (sum >>> 0) / 0x1_0000_0000;
  }

  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError when there is nothing to pick from */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('nothing to pick from');
    return items[this.int(0, items.length - 1)] as T;
  }

  /** A new list in random order. */
  shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: this.next() }));
    return keyed.sort((x, y) => x.key - y.key).map(({ item }) => item);
  }

  /** `count` different items, or all when there are fewer. */
  sample<T>(items: readonly T[], count: number): T[] {
    return this.shuffle(items).slice(0, count);
  }

  /** Decimal digits, the first of them not 0. */
  digits(count: number): string {
    let text = String(this.int(1, 9));
    while (text.length < count) text += String(this.int(0, 9));
    return text;
  }

  /** Digits that were not drawn before; remembers them in `taken`. */
  freshDigits(count: number, taken: Set<string>): string {
    for (;;) {
      const text = this.digits(count);
      if (taken.has(text)) continue;
      taken.add(text);
      return text;
    }
  }
}

/** FNV-1a with a final mix. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) | 0;
}
