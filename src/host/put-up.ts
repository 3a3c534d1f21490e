/** Starts parts one after the other, and stops them in reverse order. */

/** End of the work before the take-down. */
type WorkEnd = 'done' | 'failed';

/** Adds a step to the take-down: the last one added runs first. */
export type Defer = (step: (end: WorkEnd) => unknown) => void;

/**
 * Runs `work`, then every step that it has added, each once, in reverse order, even if `work` fails half-way. A failing
 * step does not prevent the others.
 *
 * @returns the result of `work`
 * @throws the error of `work`, otherwise the first error of a step
 */
export async function putUp<T>(work: (defer: Defer) => Promise<T>): Promise<T> {
  const steps: ((end: WorkEnd) => unknown)[] = [];
  let outcome: { readonly value: T } | { readonly error: unknown };
  try {
    outcome = { value: await work((step) => void steps.push(step)) };
  } catch (error) {
    outcome = { error };
  }
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step('value' in outcome ? 'done' : 'failed');
    } catch (error) {
      if ('value' in outcome) outcome = { error };
    }
  }
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
