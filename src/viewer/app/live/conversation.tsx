/** The conversation of an episode in progress, updated as it grows. */

import './live.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatAmount } from '../../../results/document/index.ts';
import type { LiveRun, OpenConversation as Answer, OpenLine } from '../../data/api.ts';
import type { EpisodeProps } from '../run/requests.tsx';
import { useKeys, useNavigation, useRunRoutes } from '../navigation.tsx';
import { Called, Said } from '../episode/step.tsx';
import { Crumbs } from '../parts.tsx';
import { nameEpisode, nameFields } from '../words.ts';
import { episodeSegments, apiPath, useAnswer } from '../server.ts';

interface OpenConversationProps extends EpisodeProps {
  /** The newest state of the run; null if the run is not in progress. */
  readonly live: LiveRun | null;
}

const LOOK_MS = 1000;

/** Shows an episode without a record. */
export function OpenConversation({ id, episode, live }: OpenConversationProps) {
  const { go } = useNavigation();
  const { up } = useRunRoutes();
  useKeys({ u: () => go(up) });
  const isRunning = live?.status === 'running';
  const path = apiPath('runs', id, 'open', ...episodeSegments(episode));
  const { loading, problem } = useAnswer<Answer>(path, isRunning ? LOOK_MS : null);
  const lines = useLastLines(loading.kind === 'ready' ? loading.value.lines : []);
  return (
    <>
      <Crumbs up={[{ name: id, route: up }]} />
      <h1>{nameEpisode(episode).replace('task', 'Task')}</h1>
      {problem === null ? null : <p class="callout is-bad">{problem}</p>}
      <p class="row muted" aria-live="polite">
        {isRunning && lines.length > 0 ? (
          <>
            <span class="cell is-open" aria-hidden="true" /> This episode is in progress.
          </>
        ) : lines.length > 0 ? (
          'The run is not in progress. The episode stopped here and has no record.'
        ) : isRunning ? (
          'This episode has not started, or is about to be recorded.'
        ) : (
          'This episode has no record.'
        )}
      </p>
      <Lines lines={lines} />
    </>
  );
}

/** Keeps the last lines, because the server drops them shortly before the episode has a record. */
function useLastLines(lines: readonly OpenLine[]): readonly OpenLine[] {
  const last = useRef(lines);
  if (lines.length > 0) last.current = lines;
  return last.current;
}

/** Largest distance from the page's end at which a reader follows the conversation, in pixels. */
const NEAR_END = 120;

function Lines({ lines }: { readonly lines: readonly OpenLine[] }) {
  const isAlong = useReadingAlong();
  const [missed, setMissed] = useState(0);
  const seen = useRef(lines.length);
  useLayoutEffect(() => {
    const added = lines.length - seen.current;
    seen.current = lines.length;
    if (added <= 0) return;
    if (isAlong.current) scrollToEnd();
    else setMissed((before) => before + added);
  }, [lines.length]);
  return (
    <>
      <div class="conversation live-conversation">
        {lines.map((line, at) => (line.tool === null && line.text === '' ? null : <Line key={at} line={line} />))}
      </div>
      {missed === 0 ? null : (
        <button
          type="button"
          class="button is-main to-newest"
          onClick={() => {
            setMissed(0);
            scrollToEnd();
          }}
        >
          {formatAmount(missed, 'new line')} below
        </button>
      )}
    </>
  );
}

function scrollToEnd(): void {
  window.scrollTo({ top: document.documentElement.scrollHeight });
}

/** True if the end of the page was visible before it grew. */
function useReadingAlong(): { readonly current: boolean } {
  const isAlong = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      isAlong.current = window.scrollY + window.innerHeight >= scrollHeight - NEAR_END;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isAlong;
}

function Line({ line: { role, tool, text, observation } }: { readonly line: OpenLine }) {
  const by = role === 'user' || role?.startsWith('user/') === true ? 'user' : 'agent';
  return (
    <section class="panel step" aria-label={tool === null ? SPEAKERS[by] : `Action ${tool}`}>
      {tool === null ? (
        <Said by={by} name={role === by ? SPEAKERS[by] : role} text={nameFields(text)} />
      ) : (
        <Called name={tool} args={text} observation={observation} hasChanged={false} />
      )}
    </section>
  );
}

const SPEAKERS = { user: 'User', agent: 'Agent' } as const;
