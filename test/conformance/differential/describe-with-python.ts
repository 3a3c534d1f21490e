/** Tests that need the Python reference. */

import { describe, it } from 'vitest';
import { ReferenceProcess, whyNoReference } from './reference-process.ts';

/** A `describe` that is one skipped test, by name, where there is no reference to run. */
export function describeWithPython(name: string, body: (reference: ReferenceProcess) => void): void {
  const reason = whyNoReference();
  if (reason !== null) {
    it.skip(`${name} (skipped: ${reason})`, () => undefined);
    return;
  }
  describe(name, () => {
    body(new ReferenceProcess());
  });
}
