/** Shows and edits an episode's note and labels. */

import { useId, useState } from 'preact/hooks';
import './run.css';
import type { EpisodeNote } from '../../data/api.ts';
import { formatEpisodeKey, type RunKey } from '../address.ts';
import { addLabel, isSameNote, type Note, type OpenRow } from '../notes.ts';
import { toErrorMessage } from '../source.ts';
import { askServer, episodePath } from '../server.ts';
import type { EpisodeProps } from './requests.tsx';

interface NoteEditorProps extends EpisodeProps {
  readonly note: EpisodeNote | undefined;
  /** Labels of other episodes, the most frequent first. */
  readonly suggestions: readonly string[];
  readonly onSave: (note: EpisodeNote) => void;
}

const NONE: Note = { labels: [], text: '' };

/** Unsaved notes, which remain while the reader looks at another episode. */
const drafts = new Map<string, Note>();

type Saving = { readonly kind: 'idle' | 'saving' | 'saved' } | { readonly kind: 'failed'; readonly problem: string };

export function NoteEditor({ id, episode, note, suggestions, onSave }: NoteEditorProps) {
  const saved = note ?? NONE;
  const name = `${id}/${formatEpisodeKey(episode)}`;
  const [draft, setDraft] = useState<Note | null>(() => drafts.get(name) ?? null);
  const [typed, setTyped] = useState('');
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });
  const [titleId, listId] = [useId(), useId()];
  const { labels, text } = draft ?? saved;
  const whole = { labels: addLabel(labels, typed), text };
  const isChanged = !isSameNote(whole, saved);
  const edit = (changes: Partial<Note>) => {
    const next = { labels, text, ...changes };
    drafts.set(name, next);
    setDraft(next);
    setSaving({ kind: 'idle' });
  };
  const enter = (label: string) => {
    edit({ labels: addLabel(labels, label) });
    setTyped('');
  };
  const save = async () => {
    setSaving({ kind: 'saving' });
    try {
      onSave(await put(id, episode, whole));
      drafts.delete(name);
      setDraft(null);
      setTyped('');
      setSaving({ kind: 'saved' });
    } catch (error) {
      setSaving({ kind: 'failed', problem: toErrorMessage(error) });
    }
  };
  const offered = suggestions.filter((label) => !labels.includes(label));
  return (
    <form
      class="panel note-editor"
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !isChanged) return;
        event.preventDefault();
        void save();
      }}
    >
      <h2 id={titleId}>Note</h2>
      <div class="row">
        {labels.map((label) => (
          <span key={label} class="badge is-accent label-chip">
            {label}
            <button
              type="button"
              aria-label={`Remove the label ${label}`}
              onClick={() => edit({ labels: labels.filter((other) => other !== label) })}
            >
              ×
            </button>
          </span>
        ))}
        <input
          aria-label="Add a label"
          placeholder="Add a label"
          list={listId}
          maxLength={60}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            setSaving({ kind: 'idle' });
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || typed.trim() === '') return;
            event.preventDefault();
            enter(typed);
          }}
        />
        <datalist id={listId}>
          {offered.map((label) => (
            <option key={label} value={label} />
          ))}
        </datalist>
      </div>
      {offered.length === 0 ? null : (
        <p class="row small">
          {offered.slice(0, MOST_OFFERED).map((label) => (
            <button key={label} type="button" class="text-button" onClick={() => enter(label)}>
              + {label}
            </button>
          ))}
        </p>
      )}
      <textarea
        aria-label="Text of the note"
        placeholder="What did you find?"
        rows={3}
        maxLength={20_000}
        value={text}
        onInput={({ currentTarget }) => edit({ text: currentTarget.value })}
      />
      <p class="row small">
        <button type="submit" class="button" disabled={!isChanged || saving.kind === 'saving'}>
          Save
        </button>
        <span role="status" class={saving.kind === 'failed' ? 'badge is-bad' : 'muted'}>
          {statusText(saving, isChanged)}
        </span>
      </p>
    </form>
  );
}

const MOST_OFFERED = 6;

function statusText(saving: Saving, isChanged: boolean): string {
  if (saving.kind === 'failed') return saving.problem;
  if (saving.kind === 'saving') return 'Saving…';
  if (isChanged) return 'Not saved yet';
  return saving.kind === 'saved' ? 'Saved' : '';
}

async function put(id: RunKey, episode: OpenRow, { labels, text }: Note): Promise<EpisodeNote> {
  const response = await askServer(episodePath(id, episode, 'note'), {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ labels, text }),
  });
  return (await response.json()) as EpisodeNote;
}
