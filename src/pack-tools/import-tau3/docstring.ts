/** Google-style docstrings: descriptions of a function and its parameters. */

interface Docstring {
  /** First line, empty line and the rest, in the form shown to the model. */
  readonly description: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const SECTION =
  /^(Arguments|Args|Parameters|Params|Raises|Exceptions|Except|Attributes|Example|Examples|Returns|Yields):[ \t\r\f\v]*$/;
const PARAMETER_SECTIONS = ['Arguments', 'Args', 'Parameters', 'Params'] as const;

export function readDocstring(text: string): Docstring {
  const lines = cleanDocstring(text);
  const at = lines.findIndex((line) => SECTION.test(line));
  const before = (at < 0 ? lines : lines.slice(0, at)).join('\n').trim();
  const [short = '', ...rest] = before.split('\n');
  const long = rest.join('\n').trim();
  const parameters = new Map<string, string>();
  let isParameters = false;
  let last: string | undefined;
  for (const line of at < 0 ? [] : lines.slice(at)) {
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined) isParameters = PARAMETER_SECTIONS.some((name) => name === section);
    if (section !== undefined || !isParameters || line.trim() === '') continue;
    const [, name, described = ''] = /^\s{1,8}(\w+)(?: ?\([^)]*\))?:(.*)$/.exec(line) ?? [];
    const isDeeper = /^\s{8}/.test(line) && last !== undefined;
    if (name !== undefined && !isDeeper) {
      parameters.set(name, described.trim());
      last = name;
    } else if (last !== undefined) {
      parameters.set(last, `${parameters.get(last) ?? ''}\n${line.trim()}`.trim());
    }
  }
  return { description: long === '' ? short : `${short}\n\n${long}`, parameters };
}

/**
 * Works like `inspect.cleandoc`: removes the common indentation of all lines but the first, and surrounding empty
 * lines.
 */
function cleanDocstring(text: string): string[] {
  const [first = '', ...rest] = text.replaceAll('\t', '        ').split('\n');
  const margins = rest.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const margin = margins.reduce((least, next) => Math.min(least, next), Infinity);
  const lines = [first.trimStart(), ...rest.map((line) => line.slice(Number.isFinite(margin) ? margin : 0))];
  while (lines.length > 0 && lines[0] === '') lines.shift();
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  return lines.map((line) => line.trimEnd());
}
