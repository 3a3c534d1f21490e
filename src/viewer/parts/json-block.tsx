/** A text that may be JSON, laid out and coloured where it is. */

import { layOut } from './json-text.ts';

export function JsonBlock({ text }: { readonly text: string }) {
  const tokens = layOut(text);
  if (tokens === null) return <pre class="text-block">{text}</pre>;
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
