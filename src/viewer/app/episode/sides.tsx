/** The sidebar of a conversation: the user's instruction, costs, prompts, and links. */

import type { ComponentChildren } from 'preact';
import type { PayloadConversation } from '../../data/payload.ts';
import { formatCount, formatUsd, formatAmount, formatDuration } from '../../../results/document/index.ts';
import type { UnpackedConversation } from '../source.ts';
import { DataTable } from '../charts/frame.tsx';
import { Folded, JsonBlock } from '../parts.tsx';

interface SidesProps {
  readonly unpacked: UnpackedConversation;
  /** Parts at the top. */
  readonly children?: ComponentChildren;
}

export function Sides({ unpacked: { conversation, prompts }, children }: SidesProps) {
  const { roles, workflowId, historyUrl } = conversation;
  return (
    <aside class="stack sides">
      {children}
      <GroundTruth conversation={conversation} />
      {roles.length === 0 ? null : <Roles roles={roles} />}
      {prompts.length === 0 ? null : (
        <Folded class="panel boxed" summary={formatAmount(prompts.length, 'system prompt')}>
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
        <p class="panel boxed">
          {historyUrl === null ? null : (
            <a href={historyUrl} target="_blank" rel="noreferrer">
              History in Temporal UI ↗
            </a>
          )}{' '}
          <span class="muted">
            workflow <code>{workflowId}</code>
          </span>
        </p>
      )}
    </aside>
  );
}

/** The user's instruction and the ground truth. */
export function Asked({ conversation }: { readonly conversation: PayloadConversation }) {
  return (
    <>
      <Instruction text={conversation.instruction} />
      <GroundTruth conversation={conversation} />
    </>
  );
}

export function Instruction({ text }: { readonly text: string }) {
  return (
    <Folded class="panel boxed instruction" summary="The user’s instruction" isOpen>
      {() => <p style={{ whiteSpace: 'pre-wrap' }}>{text}</p>}
    </Folded>
  );
}

function GroundTruth({ conversation: { outputs, wanted } }: { readonly conversation: PayloadConversation }) {
  return (
    <>
      <Folded
        class="panel boxed"
        summary={`Ground truth: ${formatAmount(wanted.length, 'action')}${outputs.length === 0 ? '' : `, ${formatAmount(outputs.length, 'output')}`}`}
      >
        {() => (
          <>
            <ol class="stack">
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
  const table = {
    head: ['role', 'calls', 'tokens in / out', 'time', 'cost'],
    rows: () =>
      roles.map(({ role, calls, tokensIn, tokensOut, costUsd, latencyMs }) => [
        role,
        formatCount(calls),
        `${formatCount(tokensIn)} / ${formatCount(tokensOut)}`,
        formatDuration(latencyMs),
        formatUsd(costUsd),
      ]),
  };
  return (
    <Folded class="panel boxed" summary="Model calls by role" isOpen>
      {() => <DataTable table={table} />}
    </Folded>
  );
}
