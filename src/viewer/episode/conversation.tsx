/** The conversation: messages and actions, in order. */

import type { PayloadConversation } from '../../results/page/index.ts';
import { LongText } from '../parts/long-text.tsx';
import { Step } from './step.tsx';

export interface ConversationProps {
  readonly conversation: PayloadConversation;
  /** The step that the address names. @default none */
  readonly current?: number | null;
  /** Absent: steps have no links of their own. */
  readonly linkToStep?: (step: number) => string;
}

export function Conversation({ conversation, current = null, linkToStep }: ConversationProps) {
  const { opening, steps, isOrdered, unread, faults, differences, customer } = conversation;
  return (
    <section class="conversation" aria-label="Conversation">
      {opening === null ? null : (
        <div class="said by-customer">
          <span class="speaker">Customer</span>
          <p>
            <LongText text={opening} />
          </p>
        </div>
      )}
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
          customer={customer.filter((finding) => finding.step === step.index)}
        />
      ))}
      {unread === null ? null : (
        <div class="said by-agent is-unread">
          <span class="speaker">Agent, after the last step</span>
          <pre class="text-block">
            <LongText text={unread} />
          </pre>
        </div>
      )}
    </section>
  );
}
