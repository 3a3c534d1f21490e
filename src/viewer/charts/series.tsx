/** Styles of several series: color, dash and symbol together, and a legend. */

/** Those of the plots' symbols that are told apart when small. */
type SymbolName = 'circle' | 'square' | 'triangle' | 'diamond' | 'star' | 'wye';

export interface SeriesStyle {
  /** A CSS colour, legible on light and dark. */
  readonly colour: string;
  /** SVG's `stroke-dasharray`. */
  readonly dash: string;
  readonly symbol: SymbolName;
}

const STYLES: readonly [SeriesStyle, ...SeriesStyle[]] = [
  { colour: 'var(--series-1)', dash: 'none', symbol: 'circle' },
  { colour: 'var(--series-2)', dash: '6 3', symbol: 'square' },
  { colour: 'var(--series-3)', dash: '2 3', symbol: 'triangle' },
  { colour: 'var(--series-4)', dash: '10 3 2 3', symbol: 'diamond' },
  { colour: 'var(--series-5)', dash: '4 4', symbol: 'star' },
  { colour: 'var(--series-6)', dash: '1 4', symbol: 'wye' },
];

/** @param index from 0; the styles come round again after six */
export function seriesStyle(index: number): SeriesStyle {
  return STYLES[index % STYLES.length] ?? STYLES[0];
}

const SAMPLES: Readonly<Record<SymbolName, string>> = {
  circle: 'M16,8m-4,0a4,4,0,1,0,8,0a4,4,0,1,0,-8,0',
  square: 'M12,4h8v8h-8z',
  triangle: 'M16,3l5,9h-10z',
  diamond: 'M16,3l4,5l-4,5l-4,-5z',
  star: 'M16,2l1.6,4h4.4l-3.5,2.7l1.3,4.3l-3.8,-2.6l-3.8,2.6l1.3,-4.3l-3.5,-2.7h4.4z',
  wye: 'M14.5,13v-4l-4,-2.5l1.5,-2.5l4,2.4l4,-2.4l1.5,2.5l-4,2.5v4z',
};

/** @param names the series', in their order */
export function Legend({ names }: { readonly names: readonly string[] }) {
  return (
    <ul class="legend">
      {names.map((name, index) => (
        <li key={name}>
          <Sample style={seriesStyle(index)} />
          {name}
        </li>
      ))}
    </ul>
  );
}

function Sample({ style: { colour, dash, symbol } }: { readonly style: SeriesStyle }) {
  return (
    <svg width="32" height="16" aria-hidden="true">
      <line x1="0" x2="32" y1="8" y2="8" stroke={colour} stroke-width="2" stroke-dasharray={dash} />
      <path d={SAMPLES[symbol]} fill={colour} />
    </svg>
  );
}
