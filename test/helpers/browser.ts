/** A headless Chromium, where a machine has one: `CHROMIUM_PATH` names it, else it is looked for at the usual place. */

import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { describe } from 'vitest';

const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** A `describe` that is skipped, by name, where there is no Chromium. */
export function describeWithBrowser(name: string, body: (launch: () => Promise<Browser>) => void): void {
  if (!existsSync(executablePath)) {
    describe.skip(`${name} (skipped: no Chromium at ${executablePath}; set CHROMIUM_PATH)`, () => undefined);
    return;
  }
  // Its sandbox does not start for root, and the pages are our own.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  describe(name, () => {
    body(() => chromium.launch({ executablePath, args }));
  });
}
