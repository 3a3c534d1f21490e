/** V8's flags of a worker process. perf/NOTES.md has the figures. */

/** Number of open episodes above which saving memory is worth 3 to 5 % more CPU time. */
const MANY_OPEN = 200;

/**
 * Lists V8's flags for all threads of a worker process, to be set before they allocate much. By default, V8 lets the
 * heap of a busy worker grow to four times its live data, mostly messages of completed calls. With the flags, V8
 * collects garbage at one and a half times the live data, and sooner in a worker for many episodes. Young objects of
 * the workflow thread get 24 MB (Node 20 allows 48, Node 24 192), which does not slow workflow code down.
 * @param maxConcurrency episodes that may be open in this worker
 */
export function engineFlags(maxConcurrency: number): readonly string[] {
  return [`--heap-growing-percent=${maxConcurrency > MANY_OPEN ? '30' : '50'}`, '--max-semi-space-size=8'];
}
