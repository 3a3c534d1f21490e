/** Model calls of an episode as they went over the wire; asked for when somebody opens them. */

import { formatAmount, formatDuration } from '../../../results/document/index.ts';
import type { KeptRequest, KeptRequests } from '../../data/api.ts';
import type { RunKey } from '../address.ts';
import { Folded, JsonBlock } from '../parts.tsx';
import { apiPath, useAnswer } from '../server.ts';
import { Answered } from '../answers.tsx';

interface RequestsProps {
  readonly id: RunKey;
  readonly taskId: number;
  readonly trial: number;
}

export function Requests(props: RequestsProps) {
  return (
    <Folded class="panel boxed requests" summary="Requests and replies of the model calls">
      {() => <RequestList {...props} />}
    </Folded>
  );
}

function RequestList({ id, taskId, trial }: RequestsProps) {
  const asked = useAnswer<KeptRequests>(apiPath('runs', id, 'episodes', taskId, trial, 'requests'));
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
