/**
 * A place for a plot: drawn again when its width or what it shows changes. Colours are custom properties, so that a
 * change of theme needs no new drawing.
 */

import { plot, type PlotOptions } from '@observablehq/plot';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface PlotBoxProps<Datum> {
  /** Description of the plot in a sentence, for screen readers. */
  readonly label: string;
  /** Options for a width in CSS pixels; the same function as long as the data are the same. */
  readonly draw: (width: number) => PlotOptions;
  /** Opens the datum that the plot's pointer is at. */
  readonly onPick?: (datum: Datum) => void;
}

export function PlotBox<Datum = never>({ label, draw, onPick }: PlotBoxProps<Datum>) {
  const box = useRef<HTMLDivElement>(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const width = useWidth(box);
  useLayoutEffect(() => {
    if (box.current === null || width === 0) return;
    const drawing = plot({ width, ariaLabel: label, className: 'plot', ...draw(width) });
    drawing.setAttribute('role', 'img');
    const onClick = () => {
      const datum: unknown = drawing.value;
      if (datum !== null && datum !== undefined) pick.current?.(datum as Datum);
    };
    drawing.addEventListener('click', onClick);
    box.current.replaceChildren(drawing);
  }, [draw, label, width]);
  return <div ref={box} class={onPick === undefined ? 'plot-box' : 'plot-box can-pick'} />;
}

/** Whole CSS pixels; 0 until the element is laid out, and while it is hidden. */
function useWidth(box: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
