/** Shows an episode's recorded model calls, which are loaded on demand. */

import { formatAmount, formatDuration } from '../../../results/document/index.ts';
import type { KeptRequest, KeptRequests } from '../../data/api.ts';
import type { RunKey } from '../address.ts';
import { Folded, JsonBlock } from '../parts.tsx';
import type { OpenRow } from '../notes.ts';
import { episodePath, useAnswer } from '../server.ts';
import { Answered } from '../answers.tsx';

export interface EpisodeProps {
  readonly id: RunKey;
  readonly episode: OpenRow;
}

export function Requests(props: EpisodeProps) {
  return (
    <Folded class="panel boxed requests" summary="Requests and replies of the model calls">
      {() => <RequestList {...props} />}
    </Folded>
  );
}

function RequestList({ id, episode }: EpisodeProps) {
  const asked = useAnswer<KeptRequests>(episodePath(id, episode, 'requests'));
  return (
    <Answered asked={asked} what="requests">
      {({ requests }) => (
        <>
          <p class="muted">{formatAmount(requests.length, 'model call')}, without headers and keys.</p>
          <ol>
            {requests.map((request, at) => (
              <li key={at}>
                <Folded summary={<Summary request={request} />}>{() => <Bodies request={request} />}</Folded>
              </li>
            ))}
          </ol>
        </>
      )}
    </Answered>
  );
}

function Summary({ request: { call, status, durationMs, at } }: { readonly request: KeptRequest }) {
  const isAnswered = status !== null && status < 400;
  return (
    <>
      {call}{' '}
      <span class={`badge is-${isAnswered ? 'none' : 'bad'}`}>{status === null ? 'no answer' : String(status)}</span>{' '}
      <span class="muted">
        {formatDuration(durationMs)} · {at.slice(11, 19)}
      </span>
    </>
  );
}

function Bodies({ request: { request, reply } }: { readonly request: KeptRequest }) {
  return (
    <>
      <h3>Request</h3>
      <JsonBlock text={request} />
      <h3>Reply</h3>
      {reply === null ? <p class="muted">No reply came.</p> : <JsonBlock text={reply} />}
    </>
  );
}
