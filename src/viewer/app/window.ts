/** The visible rows of a long list, the only ones in the document. */

import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

interface RowWindow {
  readonly from: number;
  /** Number of the row after the last one. */
  readonly to: number;
}

/** Rows above and below the visible ones, for fast scrolling. */
const SPARE = 12;

/**
 * Returns the rows to show; pure.
 * @param top position of the list's beginning in the visible part, in pixels; negative if scrolled past
 * @param height height of the visible part
 */
export function findWindow(rows: number, rowHeight: number, top: number, height: number): RowWindow {
  const first = Math.floor(-top / rowHeight) - SPARE;
  const seen = Math.ceil(height / rowHeight) + 2 * SPARE;
  const from = Math.max(0, Math.min(first, rows - seen));
  return { from, to: Math.min(rows, Math.max(first, 0) + seen) };
}

/** @param list element with the rows */
export function useWindow(list: RefObject<HTMLElement | null>, rows: number, rowHeight: number): RowWindow {
  const read = (): RowWindow =>
    findWindow(rows, rowHeight, list.current?.getBoundingClientRect().top ?? 0, window.innerHeight);
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
  // The list may have become shorter.
  return { from: Math.min(shown.from, rows), to: Math.min(Math.max(shown.to, shown.from), rows) };
}

/** True if the media query matches. */
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
 * Returns the width in whole CSS pixels; 0 for a hidden element, and before it is laid out.
 * @param isThere true if the element is in the document
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
