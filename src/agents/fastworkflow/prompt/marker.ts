/** Signs that prompts and replies share. */

/** What the model answers for a value that it does not find. */
export const NOT_FOUND = 'NOT_FOUND';

/** The line that a field begins with. */
export function marker(field: string): string {
  return `[[ ## ${field} ## ]]`;
}
