/** The sidebar of a conversation: instruction, costs, prompts, and links. */

import type { ComponentChildren } from 'preact';
import type { PayloadConversation } from '../../data/payload.ts';
import { formatCount, formatUsd, formatAmount, formatDuration } from '../../../results/document/index.ts';
import type { Unpacked } from '../source.ts';
import { Folded, JsonBlock } from '../parts.tsx';

interface SidesProps {
  readonly unpacked: Unpacked;
  /** At the top. @default nothing */
  readonly children?: ComponentChildren;
}

export function Sides({ unpacked: { conversation, prompts }, children }: SidesProps) {
  const { roles, workflowId, historyUrl } = conversation;
  return (
    <aside class="sides">
      {children}
      <Asked conversation={conversation} />
      {roles.length === 0 ? null : <Roles roles={roles} />}
      {prompts.length === 0 ? null : (
        <Folded summary={formatAmount(prompts.length, 'system prompt')}>
          {() =>
            prompts.map((prompt, at) => (
              <pre key={at} class="text-block">
                {prompt}
              </pre>
            ))
          }
        </Folded>
      )}
      {workflowId === null ? null : (
        <p class="history">
          {historyUrl === null ? null : (
            <a href={historyUrl} target="_blank" rel="noreferrer">
              History in Temporal UI ↗
            </a>
          )}
          <span class="muted">
            workflow <code>{workflowId}</code>
          </span>
        </p>
      )}
    </aside>
  );
}

/** The user's instruction and the ground truth: folded, so that the conversation can be read without them. */
export function Asked({ conversation }: { readonly conversation: PayloadConversation }) {
  const { instruction, outputs, wanted } = conversation;
  return (
    <>
      <Folded summary="The user’s instruction">{() => <p class="instruction">{instruction}</p>}</Folded>
      <Folded
        summary={`Ground truth: ${formatAmount(wanted.length, 'action')}${outputs.length === 0 ? '' : `, ${formatAmount(outputs.length, 'output')}`}`}
      >
        {() => (
          <>
            <ol class="wanted">
              {wanted.map(({ name, text }, at) => (
                <li key={at}>
                  <code class="tool-name">{name}</code>
                  <JsonBlock text={text} />
                </li>
              ))}
            </ol>
            {outputs.length === 0 ? null : (
              <p>
                Required outputs:{' '}
                {outputs.map((output, at) => (
                  <code key={at} class="tag">
                    {output}
                  </code>
                ))}
              </p>
            )}
          </>
        )}
      </Folded>
    </>
  );
}

function Roles({ roles }: Pick<PayloadConversation, 'roles'>) {
  return (
    <Folded summary="Model calls by role" isOpen>
      {() => (
        <div class="wide-table">
          <table>
            <thead>
              <tr>
                <th scope="col">role</th>
                <th scope="col">calls</th>
                <th scope="col">tokens in / out</th>
                <th scope="col">time</th>
                <th scope="col">cost</th>
              </tr>
            </thead>
            <tbody>
              {roles.map(({ role, calls, tokensIn, tokensOut, costUsd, latencyMs }) => (
                <tr key={role}>
                  <th scope="row">{role}</th>
                  <td>{formatCount(calls)}</td>
                  <td>
                    {formatCount(tokensIn)} / {formatCount(tokensOut)}
                  </td>
                  <td>{formatDuration(latencyMs)}</td>
                  <td>{formatUsd(costUsd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Folded>
  );
}
