/** An answer of the server in a view: that it is awaited, the answer, or why there is none. */

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Loaded } from './source.ts';

interface AnsweredProps<T> {
  readonly asked: Loaded<T>;
  /** Noun for the answer, such as `run`. */
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

/** The answer, with a sentence above it when a newer one failed; or that it is loading, or why it is not there. */
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

/** Names the view in the browser's tabs and its history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tauflow`;
  }, [title]);
}
