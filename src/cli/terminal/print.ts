/** Output of documents on stdout. */

import type { Document } from '../../results/document/index.ts';
import type { CliContext } from '../context.ts';
import { renderTerminal } from './render.ts';
import { chooseStyle } from './style.ts';

export function printDocument(document: Document, { out, stdout, env }: CliContext): void {
  out(renderTerminal(document, chooseStyle(stdout, env)).trimEnd());
}
