/**
 * Traces of workflows, by Temporal's own interceptors. Part of the traced bundle only: it runs in the workflows' sandbox,
 * where each cached workflow holds a copy of it.
 *
 * An episode's trace is its own, and linked to the sweep's: a sweep of thousands of episodes as one trace is more than
 * what shows traces can take.
 */

import { trace, type Attributes, type SpanContext } from '@opentelemetry/api';
import { ApplicationFailure } from '@temporalio/common';
import { extractContextFromHeaders, TRACE_HEADER } from '@temporalio/interceptors-opentelemetry/lib/instrumentation.js';
import {
  OpenTelemetryInboundInterceptor,
  OpenTelemetryInternalsInterceptor,
  OpenTelemetryOutboundInterceptor,
} from '@temporalio/interceptors-opentelemetry/lib/workflow/index.js';
import {
  workflowInfo,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptorsFactory,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { EpisodeSummary } from '../../wire/episode.ts';

type Inbound = Required<WorkflowInboundCallsInterceptor>;

/** Questions about progress come every second and change nothing. */
class WithoutQueries extends OpenTelemetryInboundInterceptor {
  override handleQuery(...[input, next]: Parameters<Inbound['handleQuery']>): Promise<unknown> {
    return next(input);
  }

  override validateUpdate(...[input, next]: Parameters<Inbound['validateUpdate']>): void {
    next(input);
  }
}

// The name is the SDK's.
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: workflowInfo().workflowType === 'episode' ? ownTrace() : [new WithoutQueries()],
  outbound: [new OpenTelemetryOutboundInterceptor(), namesChild],
  internals: [new OpenTelemetryInternalsInterceptor()],
});

/** Which workflow a span opens: the way from a sweep's trace to an episode's. */
const namesChild: WorkflowOutboundCallsInterceptor = {
  startChildWorkflowExecution(input, next) {
    trace.getActiveSpan()?.setAttribute('tau.child', input.options.workflowId);
    return next(input);
  },
};

/** Temporal's interceptor between one that hides the sweep's span from it, and one that links its span to that. */
function ownTrace(): WorkflowInboundCallsInterceptor[] {
  let opener: SpanContext | undefined;
  return [
    {
      execute(input, next) {
        const context = extractContextFromHeaders(input.headers);
        opener = context === undefined ? undefined : trace.getSpanContext(context);
        const own = Object.entries(input.headers).filter(([name]) => name !== TRACE_HEADER);
        return next({ ...input, headers: Object.fromEntries(own) });
      },
    },
    new WithoutQueries(),
    {
      async execute(input, next) {
        const span = trace.getActiveSpan();
        if (opener !== undefined) span?.addLink({ context: opener });
        try {
          const summary = await next(input);
          span?.setAttributes(summaryAttributes(summary as EpisodeSummary));
          return summary;
        } catch (error) {
          const [summary] = ((error instanceof ApplicationFailure ? error.details : undefined) ?? []) as [
            EpisodeSummary?,
          ];
          if (summary !== undefined) span?.setAttributes(summaryAttributes(summary));
          throw error;
        }
      },
    },
  ];
}

function summaryAttributes(summary: EpisodeSummary): Attributes {
  const { agentCostUsd, userCostUsd } = summary;
  return {
    'tau.outcome': summary.outcome,
    'tau.reward': summary.reward,
    'tau.steps': summary.steps,
    'tau.calls': summary.calls,
    'tau.input_tokens': summary.promptTokens,
    'tau.output_tokens': summary.completionTokens,
    ...(agentCostUsd === null || userCostUsd === null ? {} : { 'tau.cost_usd': agentCostUsd + userCostUsd }),
  };
}
