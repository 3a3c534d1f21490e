import { shuffle } from './draw.ts';
import type { Condition } from './port.ts';

export const shuffledPolicy: Condition = {
  name: 'shuffled-policy',
  summary: 'sections of the policy and tools come in another order',
  texts: ({ policy, systemPrompt, tools }, { draw }) => {
    const other = shuffleSections(policy, draw);
    return {
      policy: other,
      systemPrompt: systemPrompt?.replace(policy, () => other),
      tools: shuffle(tools, (index) => draw(`tool ${index}`)),
    };
  },
};

/** Shuffles the sections of the highest level that has several headings; without headings, the paragraphs. */
function shuffleSections(policy: string, draw: (words: string) => number): string {
  for (let level = 1; level <= 6; level++) {
    const parts = policy.split(new RegExp(`^(?=#{${level}} )`, 'm'));
    const start = parts[0]?.startsWith('#'.repeat(level) + ' ') === true ? 0 : 1;
    if (parts.length - start > 1) return join(parts.slice(0, start), parts.slice(start), '\n\n');
  }
  const [first = '', ...others] = policy.split(/\n{2,}/);
  return join([first], others, '\n\n');

  /** Joins sections. Their texts do not change; white space at their ends stays in its place. */
  function join(opening: readonly string[], sections: readonly string[], between: string): string {
    const end = policy.slice(policy.trimEnd().length);
    const texts = [...opening, ...shuffle(sections, (index) => draw(`section ${index}`))];
    return texts.map((text) => text.trimEnd()).join(between) + end;
  }
}
