/**
 * Steps for the end of a test file. Test files share modules, so that a hook that a module registers itself would be a
 * hook of the first file alone; for the end of a test, use vitest's `onTestFinished`.
 */

const steps: (() => unknown)[] = [];

export function atEndOfFile(step: () => unknown): void {
  steps.push(step);
}

/** Called after the last test of each file. */
export async function endFile(): Promise<void> {
  for (const step of steps.splice(0).reverse()) await step();
}
