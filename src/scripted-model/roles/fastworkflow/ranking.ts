/**
 * Ranks commands for words that name none, as a model would that is asked to: by the words of their names.
 */

/** Other words for the verbs that commands begin with. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  find: ['find', 'search for'],
  get: ['get', 'look up', 'show me'],
  list: ['list', 'tell me'],
  cancel: ['cancel', 'call off'],
  modify: ['modify', 'change'],
  update: ['update', 'change'],
  return: ['return', 'send back'],
  exchange: ['exchange'],
  book: ['book', 'reserve'],
  calculate: ['calculate', 'work out'],
};

/** Synonyms of the verb that a command's name begins with; at least the verb itself. */
export function wordsForVerb(verb: string): readonly string[] {
  return Object.hasOwn(VERBS, verb) ? (VERBS[verb] ?? [verb]) : [verb];
}

/**
 * @param commands a command list with a line `- name: …` for each
 * @returns by command, the share of its name's words that the utterance has; those without any are left out
 */
export function rankCommands(utterance: string, commands: string): Record<string, number> {
  const said = ` ${utterance.toLowerCase().replace(/\W+/g, ' ')} `;
  const has = (words: string) => said.includes(` ${words} `);
  const confidences: Record<string, number> = {};
  for (const [, name = ''] of commands.matchAll(/^- (\w+)/gm)) {
    const [verb = '', ...rest] = name.split('_');
    const matched = rest.filter(has).length + (wordsForVerb(verb).some(has) ? 1 : 0);
    if (matched > 0) confidences[name] = Math.round((100 * matched) / (rest.length + 1)) / 100;
  }
  return confidences;
}
