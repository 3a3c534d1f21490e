/** Formats texts as Markdown that displays them unchanged. */

/** Escapes a text, because the UI's Markdown interprets tags, and text between dollars as a formula. */
export function asMarkdown(text: string): string {
  return text.trim().replaceAll('<', '&lt;').replaceAll('$', '&#36;');
}

/** Formats a text as code on one line, between more backticks than any row of backticks in it. */
export function formatCode(text: string): string {
  const longest = Array.from(text.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 || text === '' ? ' ' : '';
  return `${fence}${padding}${text.replace(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))}${padding}${fence}`;
}
