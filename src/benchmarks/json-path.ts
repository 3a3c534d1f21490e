/** Formats a path into a JSON value as a person would write it. */

/** Formats a path: `[3].actions[0].name`, `["#W1"].items`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${String(step)}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(String(step))) text += text === '' ? String(step) : `.${String(step)}`;
    else text += `[${JSON.stringify(String(step))}]`;
  }
  return text;
}
