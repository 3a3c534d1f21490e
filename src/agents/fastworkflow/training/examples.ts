/** Draws the examples that train a classifier: texts, each with the command that it means. */

import training from '#data/intent-training.json' with { type: 'json' };
import type { CommandDefinition } from '../catalogue/definitions.ts';
import { writeTags } from '../understanding/command-syntax.ts';
import { fill, pick, type Draw } from './templates.ts';
import { SLOTS } from './values.ts';

/** Phrases by command name, in the language of `templates.ts`. */
export type Phrases = Readonly<Record<string, CommandPhrases>>;

interface CommandPhrases {
  /** Imperatives, which a frame may introduce: `please …`, `they want to …`. */
  readonly do: readonly string[];
  /** Sentences for the command: statements, questions and notes. */
  readonly say: readonly string[];
}

/** Frames around phrases, and words that mean no command: small talk, remarks on the work itself, other topics. */
const { frames, statementFrames, noCommand } = training;

export interface Example {
  readonly text: string;
  /** Position of the command that the text means, from 1; 0 for no command. */
  readonly meant: number;
}

interface ExampleOptions {
  readonly perCommand: number;
  readonly phrases?: Phrases;
  readonly foreign?: readonly Phrases[];
}

export function drawExamples(
  commands: readonly CommandDefinition[],
  { perCommand, phrases = {}, foreign = [] }: ExampleOptions,
  draw: Draw,
): Example[] {
  const examples: Example[] = [];
  for (const [at, command] of commands.entries()) {
    const drawn = Object.hasOwn(phrases, command.name) ? phrases[command.name] : undefined;
    const own = [...spokenTexts(command), ...(drawn === undefined ? describingTexts(command) : [])];
    for (let count = 0; count < perCommand; count++) {
      const text =
        drawn === undefined || count % 5 === 0
          ? framePhrase(pick(draw, own), draw)
          : draw(2) === 0
            ? fill(pick(draw, frames), { ...SLOTS, phrase: () => fill(pick(draw, drawn.do), SLOTS, draw) }, draw)
            : fill(
                pick(draw, statementFrames),
                { ...SLOTS, phrase: () => fill(pick(draw, drawn.say), SLOTS, draw) },
                draw,
              );
      examples.push({ text: vary(withTags(text, command, draw), draw), meant: at + 1 });
    }
  }
  const names = new Set(commands.map(({ name }) => name));
  const others = foreign.flatMap((domain) =>
    Object.entries(domain).flatMap(([name, { do: orders }]) => (names.has(name) ? [] : orders)),
  );
  for (let count = 0; count < 3 * perCommand; count++) {
    const isForeign = others.length > 0 && count % 3 === 0;
    const text = fill(pick(draw, isForeign ? others : noCommand), SLOTS, draw);
    examples.push({ text: vary(text, draw), meant: 0 });
  }
  return examples;
}

/** Returns a command's name and the phrases that users say for it. */
function spokenTexts({ name, utterances }: CommandDefinition): readonly string[] {
  const spoken = name.replaceAll('_', ' ');
  return [spoken, spoken, ...utterances, ...utterances, ...utterances];
}

/** Returns the descriptions of a command and its fields. They instruct a model, so they only supplement phrases. */
function describingTexts({ name, description, fields }: CommandDefinition): readonly string[] {
  const clauses = description
    .split(/[.;()]\s*/)
    .map((clause) => clause.trim())
    .filter((clause) => clause.includes(' '));
  const described = fields.filter((field) => field.description !== '');
  return [...clauses, ...described.map((field) => `${name.replaceAll('_', ' ')} ${field.description}`)];
}

function framePhrase(text: string, draw: Draw): string {
  return fill(pick(draw, frames), { ...SLOTS, phrase: () => text }, draw);
}

/** Returns a text, at random unchanged, with its values in tags, or replaced by the tags alone. */
function withTags(text: string, { fields }: CommandDefinition, draw: Draw): string {
  if (fields.length === 0 || draw(8) > 0) return text;
  const given = fields.filter(({ required }) => required || draw(2) === 0).filter(() => draw(8) > 0);
  const tags = writeTags(given.map(({ name, examples }) => [name, examples?.[0] ?? '1']));
  return draw(2) === 0 ? tags : `${text} ${tags}`;
}

/** Mistypes, shortens or changes the case of some texts. */
function vary(text: string, draw: Draw): string {
  switch (draw(12)) {
    case 0:
    case 1:
      return mistype(mistype(text, draw), draw);
    case 2:
      return text.charAt(0).toUpperCase() + text.slice(1);
    case 3:
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
    case 4:
      return text.toLowerCase();
    case 5: {
      const words = text.split(' ');
      return words.length < 5 ? text : words.filter(() => draw(5) > 0).join(' ');
    }
    default:
      return text;
  }
}

/** Leaves a letter out, doubles it or swaps it with the next one. */
function mistype(text: string, draw: Draw): string {
  if (text.length < 6) return text;
  const at = draw(text.length - 2);
  if (!/^\p{L}{2}/u.test(text.slice(at))) return text;
  const [first, second, rest] = [text.charAt(at), text.charAt(at + 1), text.slice(at + 2)];
  const changed = pick(draw, [second + first, second, first, first + first + second]);
  return text.slice(0, at) + changed + rest;
}
