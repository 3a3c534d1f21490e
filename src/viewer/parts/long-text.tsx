/** A text that may be very long: its beginning, and all of it on demand. A browser takes seconds to lay out megabytes. */

import { useState } from 'preact/hooks';
import { formatCount } from '../../results/document/index.ts';

/** Characters shown at first; more than any reply that a person reads. */
export const SHOWN_CHARS = 20_000;

export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (isWhole || text.length <= SHOWN_CHARS) return <>{text}</>;
  return (
    <>
      {text.slice(0, SHOWN_CHARS)}…{' '}
      <button type="button" onClick={() => setIsWhole(true)}>
        Show all {formatCount(text.length)} characters
      </button>
    </>
  );
}
