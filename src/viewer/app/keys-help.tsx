/** The dialog of keys, which `?` opens. */

import { useRef } from 'preact/hooks';
import { useKeys } from './navigation.tsx';

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'to the filter'],
  ['j', 'next run, episode or task'],
  ['k', 'previous run, episode or task'],
  ['n', 'next step of an episode'],
  ['p', 'previous step'],
  ['t', 'trials of the task side by side'],
  ['u', 'up: from the episode to its run, from the run to the list'],
  ['?', 'these keys'],
];

export function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({
    '?': () => {
      if (dialog.current?.open === false) dialog.current.showModal();
    },
  });
  return (
    <dialog ref={dialog} class="panel keys-dialog" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="stack">
        {KEYS.map(([key, what]) => (
          <div key={key} class="row">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit" class="button">
          Close
        </button>
      </form>
    </dialog>
  );
}
