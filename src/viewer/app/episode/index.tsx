/** One episode: the conversation step by step, and an explanation of its result. */

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import './episode.css';
import type { PayloadEpisode, PayloadRun, PayloadConversation } from '../../data/payload.ts';
import { formatEpisodeKey } from '../address.ts';
import { useKeys, useNavigation, useRunRoutes } from '../navigation.tsx';
import { Cell, Crumbs, EpisodeBadges, LongText } from '../parts.tsx';
import { useConversation, type Loading, type UnpackedConversation } from '../source.ts';
import { formatExtent, formatTaskTitle } from '../words.ts';
import { Findings } from './findings.tsx';
import { Instruction, Sides } from './sides.tsx';
import { Said, Step } from './step.tsx';

interface EpisodePageProps {
  readonly run: PayloadRun;
  readonly episode: PayloadEpisode;
  /** All trials of the task. */
  readonly trials: readonly PayloadEpisode[];
  /** Filtered episodes, which include the neighbors. */
  readonly shown: readonly PayloadEpisode[];
  readonly step: number | null;
  /** Parts of the page that only a server has; undefined: none. */
  readonly parts: EpisodeParts | undefined;
}

export interface EpisodeParts {
  /** Part of the episode's head. */
  readonly episodeHead: (episode: PayloadEpisode, conversation: Loading<UnpackedConversation>) => ComponentChildren;
  /** Column beside the conversation. */
  readonly episodeSide: (episode: PayloadEpisode, conversation: UnpackedConversation) => ComponentChildren;
}

export function EpisodePage({ run, episode, trials, shown, step, parts }: EpisodePageProps) {
  const { place, linkTo, go, amend } = useNavigation();
  const routes = useRunRoutes();
  const { taskId, trial } = episode;
  const loading = useConversation(episode);
  const { before, after } = neighbours(shown, episode);
  const open = (other: PayloadEpisode | undefined) => other && (() => go(routes.episode(other)));
  const lastStep = loading.kind === 'ready' ? loading.value.conversation.steps.length : (episode.steps ?? 1);
  const toStep = (next: number) => amend({ route: routes.episode(episode, Math.max(1, Math.min(lastStep, next))) });
  useKeys({
    j: open(after),
    k: open(before),
    n: () => toStep((step ?? 0) + 1),
    p: () => toStep((step ?? 2) - 1),
    u: () => go(routes.up),
    t: () => go(routes.task(taskId)),
  });
  useEffect(() => {
    if (loading.kind === 'ready' && step !== null) document.getElementById(`step-${step}`)?.scrollIntoView();
  }, [loading.kind, step]);

  return (
    <article>
      <header class="episode-head">
        <Crumbs
          up={[
            { name: run.subject.runId, route: routes.up },
            { name: `task ${formatTaskTitle(episode)}`, route: routes.task(taskId) },
          ]}
        />
        <h1>
          Task {formatTaskTitle(episode)}, trial {trial}
        </h1>
        <p class="row muted">
          <EpisodeBadges episode={episode} />
          <span>{formatExtent(episode, episode.turns)}</span>
        </p>
        <div class="row">
          <span class="row cells" role="group" aria-label="Trials of this task">
            {trials.map((other) => (
              <Cell key={other.trial} episode={other} isCurrent={other === episode} />
            ))}
          </span>
          {trials.length > 1 ? <a href={linkTo(routes.task(taskId))}>side by side</a> : null}
          <span class="row pager">
            <Neighbour episode={before} word="← previous" hint="k" />
            <span class="muted">{placeAmong(shown, episode)}</span>
            <Neighbour episode={after} word="next →" hint="j" />
          </span>
        </div>
        {parts?.episodeHead(episode, loading)}
        {episode.error === null ? null : <p class="callout is-bad error-line">{episode.error}</p>}
      </header>
      {loading.kind === 'loading' ? <p class="empty">Loading…</p> : null}
      {loading.kind === 'failed' ? <p class="callout is-bad">{loading.message}</p> : null}
      {loading.kind === 'ready' ? (
        <div class="episode-body" key={formatEpisodeKey(episode)}>
          <Instruction text={loading.value.conversation.instruction} />
          <Findings run={run} episode={episode} conversation={loading.value.conversation} toStep={toStep} />
          <Conversation
            conversation={loading.value.conversation}
            current={step}
            linkToStep={(at) => linkTo(routes.episode(episode, at))}
          />
          <Sides unpacked={loading.value}>{parts?.episodeSide(episode, loading.value)}</Sides>
        </div>
      ) : null}
      <p class="keys-help small muted">
        Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous episode
        {Object.values(place.filters).some(Boolean) ? ' of those asked for' : ''}, <kbd>n</kbd> <kbd>p</kbd> next and
        previous step, <kbd>t</kbd> trials side by side, <kbd>u</kbd> up to the run
      </p>
    </article>
  );
}

interface NeighbourProps {
  readonly episode: PayloadEpisode | undefined;
  readonly word: string;
  readonly hint: string;
}

function Neighbour({ episode, word, hint }: NeighbourProps) {
  const { linkTo } = useNavigation();
  const routes = useRunRoutes();
  if (episode === undefined) return <span class="muted">{word}</span>;
  return (
    <a
      href={linkTo(routes.episode(episode))}
      title={`Task ${formatTaskTitle(episode)}, trial ${episode.trial} (key ${hint})`}
    >
      {word}
    </a>
  );
}

/** Finds the neighbors of an episode. If the filters leave the episode out, the next one is the first shown. */
function neighbours(shown: readonly PayloadEpisode[], episode: PayloadEpisode) {
  const at = shown.indexOf(episode);
  return { before: at === -1 ? undefined : shown[at - 1], after: shown[at + 1] };
}

function placeAmong(shown: readonly PayloadEpisode[], episode: PayloadEpisode): string {
  const at = shown.indexOf(episode);
  return at === -1 ? '' : `${String(at + 1)} of ${shown.length}`;
}

interface ConversationProps {
  readonly conversation: PayloadConversation;
  /** The addressed step. @default none */
  readonly current?: number | null;
  /** Returns the address of a step; absent if steps have no links of their own. */
  readonly linkToStep?: (step: number) => string;
}

export function Conversation({ conversation, current = null, linkToStep }: ConversationProps) {
  const { opening, steps, isOrdered, unread, faults, differences, userFaults } = conversation;
  return (
    <article class="conversation" aria-label="Conversation">
      {opening === null ? null : <Said by="user" text={opening} />}
      {isOrdered ? null : (
        <p class="muted">
          The file has the calls apart from the conversation: first all calls, then all replies. When a call was made
          between the replies is not known.
        </p>
      )}
      {steps.map((step) => (
        <Step
          key={step.index}
          step={step}
          isCurrent={step.index === current}
          link={linkToStep?.(step.index) ?? null}
          faults={faults.filter((fault) => fault.step === step.index)}
          differences={differences.filter((difference) => difference.step === step.index)}
          userFaults={userFaults.filter((finding) => finding.step === step.index)}
        />
      ))}
      {unread === null ? null : (
        <div class="said by-agent is-unread">
          <span class="small muted">Agent, after the last step</span>
          <pre class="text-block">
            <LongText text={unread} />
          </pre>
        </div>
      )}
    </article>
  );
}
