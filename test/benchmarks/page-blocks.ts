/** The blocks of a page: files, changes of files, and commands. */

interface Block {
  /** The name above it; null for commands. */
  readonly file: string | null;
  readonly language: string;
  readonly text: string;
}

export function readBlocks(page: string): Block[] {
  const blocks = page.matchAll(/(?:^`([^`\n]+)`\n\n)?^```(\w*)\n([\s\S]*?)^```$/gm);
  return Array.from(blocks, ([, file = null, language = '', text = '']) => ({ file, language, text }));
}

/** Adds each `+` line behind the line before it. @throws Error when that is not in the file */
export function patched(source: string, diff: string): string {
  const lines = source.split('\n');
  let at = -1;
  for (const line of diff.split('\n')) {
    if (line.startsWith('+')) lines.splice(++at, 0, line.slice(1));
    else if (line.startsWith(' ')) {
      at = lines.indexOf(line.slice(1), at + 1);
      if (at < 0) throw new Error(`there is no line ${JSON.stringify(line.slice(1))} in the file`);
    }
  }
  return lines.join('\n');
}
