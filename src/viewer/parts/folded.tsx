/** A folded part, rendered only when it is opened: a page of a thousand observations is mostly never read. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

export interface FoldedProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  /** @default false */
  readonly isOpen?: boolean;
  readonly children: () => ComponentChildren;
}

export function Folded({ summary, class: name = '', isOpen = false, children }: FoldedProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class={`folded ${name}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open ? children() : null}
    </details>
  );
}
