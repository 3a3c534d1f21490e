/** Rows of a long list that are near what is seen of it: only they are in the document. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface RowWindow {
  readonly from: number;
  /** Number of the row after the last one. */
  readonly to: number;
}

/** Rows above and below what is seen, so that a key or a turn of the wheel does not meet an empty place. */
const SPARE = 12;

/**
 * Returns the rows to show; pure.
 * @param top the list's beginning, in pixels from the upper edge of what is seen; negative when that was scrolled past
 * @param height of what is seen
 */
export function windowOf(rows: number, rowHeight: number, top: number, height: number): RowWindow {
  const first = Math.floor(-top / rowHeight) - SPARE;
  const seen = Math.ceil(height / rowHeight) + 2 * SPARE;
  const from = Math.max(0, Math.min(first, rows - seen));
  return { from, to: Math.min(rows, Math.max(first, 0) + seen) };
}

/** @param list element whose rows are shown; its top is its first row's */
export function useWindow(list: RefObject<HTMLElement | null>, rows: number, rowHeight: number): RowWindow {
  const read = (): RowWindow =>
    windowOf(rows, rowHeight, list.current?.getBoundingClientRect().top ?? 0, window.innerHeight);
  const [shown, setShown] = useState(read);
  useLayoutEffect(() => {
    const look = () => {
      const next = read();
      setShown((before) => (before.from === next.from && before.to === next.to ? before : next));
    };
    const showAll = () => setShown({ from: 0, to: rows });
    look();
    window.addEventListener('beforeprint', showAll);
    window.addEventListener('afterprint', look);
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      window.removeEventListener('beforeprint', showAll);
      window.removeEventListener('afterprint', look);
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [rows, rowHeight]);
  // The list may have become shorter since.
  return { from: Math.min(shown.from, rows), to: Math.min(Math.max(shown.to, shown.from), rows) };
}

/** True while the media query holds. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useLayoutEffect(() => {
    const media = matchMedia(query);
    const look = () => setHolds(media.matches);
    look();
    media.addEventListener('change', look);
    return () => media.removeEventListener('change', look);
  }, [query]);
  return holds;
}

/**
 * Whole CSS pixels; 0 until the element is laid out, and while it is hidden.
 * @param isThere whether the element is in the document
 */
export function useWidth(element: RefObject<HTMLElement | null>, isThere = true): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, isThere]);
  return width;
}
