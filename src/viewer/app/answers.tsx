/** Shows an answer of the server, its loading state, or its error. */

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { LoadState } from './source.ts';

interface AnsweredProps<T> {
  readonly asked: LoadState<T>;
  /** Noun for the answer, such as `run`. */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** Shows the answer, and above it the problem of a newer one; without an answer its loading state or failure. */
export function Answered<T>({ asked: { loading, problem, retry }, what, children }: AnsweredProps<T>) {
  return (
    <>
      <div aria-live="polite">
        {problem === null ? null : (
          <p class="callout is-bad">
            {problem}{' '}
            <button type="button" class="text-button" onClick={retry}>
              Try again
            </button>
          </p>
        )}
        {loading.kind === 'loading' ? <p class="empty">Loading the {what}…</p> : null}
      </div>
      {loading.kind === 'ready' ? children(loading.value) : null}
    </>
  );
}

/** Sets the view's title in the browser. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tauflow`;
  }, [title]);
}
