/** Removes the control sequences from texts of models and providers that are shown in a terminal. */

/**
 * Matches control characters, and sequences that start with one: titles, links and the clipboard (OSC), cursor and
 * screen (CSI), and marks that reverse the writing direction. The end of a sequence is searched only up to the next
 * escape.
 */
const STEERING =
  // eslint-disable-next-line no-control-regex -- taking control characters out is the point
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

// eslint-disable-next-line no-control-regex -- the program's own colors
const COLOR = /^\u001b\[[\d;]*m$/;

/**
 * Returns a text that can be written to a terminal. Line breaks and tabs stay.
 * @param keepsColors true for lines that this program has colored @default false
 */
export function forTerminal(text: string, keepsColors = false): string {
  return text.replace(STEERING, (found) => (keepsColors && COLOR.test(found) ? found : ''));
}
