/** Small parts of several views: breadcrumbs, badges and cells of episodes, bars, folded parts, long texts. */

import type { ComponentChildren } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { PayloadEpisode } from '../data/payload.ts';
import type { Interval } from '../../stats/index.ts';
import { nameEpisode, toEpisodeStatus, describeEpisodeStatus, type StatusText } from './words.ts';
import { useNavigation, useRunRoutes } from './navigation.tsx';
import { formatEpisodeKey, type Route } from './address.ts';
import { describeNote, NotesContext, type Note, type OpenRow } from './notes.ts';
import { layOut } from './json-text.ts';
import { formatCount } from '../../results/document/index.ts';

interface CrumbsProps {
  /** Views above this one, the topmost first. */
  readonly up: readonly { readonly name: string; readonly route: Route }[];
  readonly children?: ComponentChildren;
}

export function Crumbs({ up, children }: CrumbsProps) {
  const { linkTo } = useNavigation();
  return (
    <nav aria-label="Where this is" class="crumbs small muted">
      {up.map(({ name, route }, at) => (
        <>
          {at === 0 ? null : ' › '}
          <a href={linkTo(route)}>{name}</a>
        </>
      ))}
      {children}
    </nav>
  );
}

export function Badge({
  status: { sign, word, tone },
  title,
}: {
  readonly status: StatusText;
  readonly title?: string;
}) {
  return (
    <span class={`badge is-${tone}`} title={title}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

export function EpisodeBadges({ episode }: { readonly episode: PayloadEpisode }) {
  return (
    <>
      <Badge status={toEpisodeStatus(episode)} />
      {episode.isSuspect ? (
        <Badge
          status={{ sign: '?', word: 'suspect user', tone: 'warn' }}
          title="The simulated user did what a user should not: see the faults below"
        />
      ) : null}
    </>
  );
}

export function NoteBadges({ note: { labels, text } }: { readonly note: Note }) {
  return (
    <>
      {(labels.length === 0 ? ['note'] : labels).map((word) => (
        <Badge key={word} status={{ sign: '✎', word, tone: 'accent' }} {...(text === '' ? {} : { title: text })} />
      ))}
    </>
  );
}

interface ScoreTrackProps {
  /** Share in [0, 1]. */
  readonly score: number;
  readonly interval: Pick<Interval, 'low' | 'high'> | null;
  /** Range of possible scores. @default all */
  readonly within?: Pick<Interval, 'low' | 'high'> | undefined;
}

/** A score as a bar, beside its figures. */
export function ScoreTrack({ score, interval, within }: ScoreTrackProps) {
  const at = (value: number) => `${String(Math.max(0, Math.min(1, value)) * 100)}%`;
  const range = ({ low, high }: Pick<Interval, 'low' | 'high'>) => ({ left: at(low), right: at(1 - high) });
  return (
    <span class={within === undefined ? 'track' : 'track is-bounded'} aria-hidden="true">
      {within === undefined ? null : <span class="within" style={range(within)} />}
      {interval === null ? null : <span class="interval" style={range(interval)} />}
      <span class="point" style={{ left: at(score) }} />
    </span>
  );
}

interface CellProps {
  readonly episode: PayloadEpisode;
  readonly isFaint?: boolean;
  readonly isCurrent?: boolean;
}

export function Cell({ episode, isFaint = false, isCurrent = false }: CellProps) {
  const { linkTo } = useNavigation();
  const routes = useRunRoutes();
  const { isSuspect } = episode;
  const { sign, tone } = toEpisodeStatus(episode);
  const note = useContext(NotesContext).get(formatEpisodeKey(episode));
  const label =
    note === undefined ? describeEpisodeStatus(episode) : `${describeEpisodeStatus(episode)}; ${describeNote(note)}`;
  return (
    <a
      class={`cell is-${tone}${isFaint ? ' is-faint' : ''}${isSuspect ? ' is-suspect' : ''}${note === undefined ? '' : ' has-note'}`}
      href={linkTo(routes.episode(episode))}
      aria-label={label}
      aria-current={isCurrent ? 'page' : undefined}
      title={label}
    >
      {sign}
    </a>
  );
}

/** Cell of an episode in progress. */
export function OpenCell({ episode }: { readonly episode: OpenRow }) {
  const { linkTo } = useNavigation();
  const routes = useRunRoutes();
  const label = `${nameEpisode(episode)}: in progress`;
  return <a class="cell is-open" href={linkTo(routes.episode(episode))} aria-label={label} title={label} />;
}

/** A text whose parts between backticks are code. */
export function WithCode({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

/** Length of the end of an id, which distinguishes runs of one configuration. */
const END_CHARS = 11;

/** An id that is cut in the middle if space is short. */
export function MiddleClip({ text }: { readonly text: string }) {
  const end = text.length > 2 * END_CHARS ? text.length - END_CHARS : text.length;
  return (
    <span class="middle-clip">
      <span class="clip">{text.slice(0, end)}</span>
      {end === text.length ? null : <span>{text.slice(end)}</span>}
    </span>
  );
}

interface FoldedProps {
  readonly summary: ComponentChildren;
  readonly class?: string;
  readonly isOpen?: boolean;
  readonly children: () => ComponentChildren;
}

/** A folded part, rendered when it is opened. */
export function Folded({ summary, class: name = '', isOpen = false, children }: FoldedProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class={`folded ${name}`} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open ? children() : null}
    </details>
  );
}

/** A text that may be JSON, laid out and colored if it is. */
export function JsonBlock({ text }: { readonly text: string }) {
  // Elements for each token of a long text would take minutes.
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

/** Number of characters shown at first. */
const SHOWN_CHARS = 20_000;

/** The beginning of a text, and all of it on demand, because megabytes take seconds to lay out. */
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

/** Longest text of a table cell on one line, in characters. */
const ONE_LINE = 28;

/** Text of a table cell, which may wrap between words and parts of names. */
export function CellText({ text }: { readonly text: string }) {
  const parts = text.split(/(?<=[_/:.])(?=\p{L})/u).flatMap((part, at) => (at === 0 ? [part] : [<wbr />, part]));
  return text.length > ONE_LINE ? <span class="long-text">{parts}</span> : <>{parts}</>;
}
