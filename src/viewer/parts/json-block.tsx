/** A text that may be JSON, laid out and coloured where it is. */

import { layOut } from './json-text.ts';
import { LongText, SHOWN_CHARS } from './long-text.tsx';

export function JsonBlock({ text }: { readonly text: string }) {
  // An element for each token of a long text would take a browser minutes.
  const tokens = text.length > SHOWN_CHARS ? null : layOut(text);
  if (tokens === null) {
    return (
      <pre class="text-block">
        <LongText text={text} />
      </pre>
    );
  }
  return (
    <pre class="text-block">
      {tokens.map(({ kind, text: part }, at) =>
        kind === 'mark' ? (
          part
        ) : (
          <span key={at} class={`json-${kind}`}>
            {part}
          </span>
        ),
      )}
    </pre>
  );
}
