/** Sentences of an instruction, with the grounds of everything that they name. */

import type { Ground, Named } from './ground.ts';

export interface Told {
  readonly text: string;
  readonly grounds: readonly Ground[];
}

type Part = string | Told | Named<unknown>;

/** ``tell`You want to cancel ${order}.` ``: text in which what is named keeps its ground. */
export function tell(strings: TemplateStringsArray, ...parts: readonly Part[]): Told {
  const texts = strings.map((string, at) => {
    const part = parts[at];
    return part === undefined ? string : `${string}${typeof part === 'string' ? part : part.text}`;
  });
  return { text: texts.join(''), grounds: parts.flatMap(groundsOf) };
}

/** `a, b and c`. */
export function tellList(parts: readonly Part[]): Told {
  const [first, ...rest] = parts;
  if (first === undefined) return { text: '', grounds: [] };
  return rest.reduce<Told>(
    (told, part, at) => (at === rest.length - 1 ? tell`${told} and ${part}` : tell`${told}, ${part}`),
    tell`${first}`,
  );
}

function groundsOf(part: Part): readonly Ground[] {
  if (typeof part === 'string') return [];
  return 'grounds' in part ? part.grounds : [part];
}
