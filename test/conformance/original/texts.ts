/** Ways in which models write a command; each makes a text of a tool call. */

import { writeCommand } from '../../../src/agents/index.ts';
import { dumpJson } from '../../../src/benchmarks/python/index.ts';
import type { Action } from '../../../src/benchmarks/index.ts';

type Way = (action: Action) => string;

const exact: Way = ({ name, kwargs }) => writeCommand(name, kwargs);
const named =
  (rename: (name: string) => string): Way =>
  (action) =>
    exact(action).replace(action.name, rename(action.name));

export const WAYS: Readonly<Record<string, Way>> = {
  'the command': exact,
  'in capitals': named((name) => name.toUpperCase()),
  'with a slash before it': (action) => `/${exact(action)}`,
  'with a space before it': (action) => ` ${exact(action)}`,
  'with an unknown tag': (action) => `${exact(action)} <note>urgent</note>`,
  'with a letter missing in its name': named((name) => name.slice(0, 4) + name.slice(5)),
  'with the end of its name missing': named((name) => name.slice(0, -4)),
  'with its words': named((name) => name.replaceAll('_', ' ')),
  'in a list': (action) => `1. ${exact(action)}`,
  'in a fence': (action) => `\`\`\`\n${exact(action)}\n\`\`\``,
  'in a sentence': (action) => `Now I run ${exact(action)} for the user.`,
  'in a tag': (action) => `<command>${exact(action)}</command>`,
  'with brackets': ({ name, kwargs }) =>
    `${name}(${Array.from(kwargs, ([key, value]) => `${key}=${dumpJson(value)}`).join(', ')})`,
  'as JSON': ({ name, kwargs }) =>
    dumpJson(
      new Map<string, string | typeof kwargs>([
        ['name', name],
        ['arguments', kwargs],
      ]),
    ),
  'without its last parameter': ({ name, kwargs }) => writeCommand(name, new Map([...kwargs].slice(0, -1))),
  'with its last parameter empty': ({ name, kwargs }) =>
    writeCommand(name, new Map([...kwargs].map(([key, value], at) => [key, at === kwargs.size - 1 ? '' : value]))),
  twice: (action) => `${exact(action)}\n${exact(action)}`,
  'and a second one on its line': (action) => `${exact(action)} and then calculate <expression>1 + 1</expression>`,
  'and a second one below': (action) => `${exact(action)}\ncalculate <expression>1 + 1</expression>`,
};
