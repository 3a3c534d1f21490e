/**
 * What the spans of activities say: a model call by OpenTelemetry's conventions for generative AI, the rest in this
 * program's own words (`tau.…`). Names, figures and kinds of failure; never what was said, nor what an action was given.
 */

import { SpanKind, SpanStatusCode, trace, type Attributes, type Span } from '@opentelemetry/api';
import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { sumUsage, type GradeOutput, type RecordInput, type StepInput, type StepOutput } from '../../wire/index.ts';
import { modelAnswerOf, modelCallOf, type ModelAnswer, type ModelCall } from './model-calls.ts';

/** To stand behind Temporal's interceptor, whose span is the active one then. */
export function describeActivitySpan({ info }: Context): ActivityInterceptors {
  return {
    inbound: {
      async execute(input, next) {
        const span = trace.getActiveSpan();
        span?.setAttribute('tau.attempt', info.attempt);
        const work = () => next(input);
        try {
          const [first] = input.args;
          const call = modelCallOf(info.activityType, first);
          if (call !== null) return await modelCall(call, info, work);
          switch (info.activityType) {
            case 'step':
              return await described(span, stepAttributes(first as StepInput), work, stepResultAttributes);
            case 'grade':
              return await described(span, {}, work, gradeAttributes);
            case 'record':
              return await described(span, recordAttributes(first as RecordInput), work);
            default:
              return await work();
          }
        } catch (error) {
          span?.setAttributes(failureAttributes(error));
          throw error;
        }
      },
    },
  };
}

type Work = () => ReturnType<NonNullable<NonNullable<ActivityInterceptors['inbound']>['execute']>>;

async function described<Output>(
  span: Span | undefined,
  before: Attributes,
  work: Work,
  after: (output: Output) => Attributes = () => ({}),
): Promise<unknown> {
  span?.setAttributes(before);
  const output = await work();
  span?.setAttributes(after(output as Output));
  return output;
}

/** A model call has a span of its own inside its activity's, because the conventions name it and make it a client's. */
async function modelCall(asked: ModelCall, info: Context['info'], work: Work): Promise<unknown> {
  const { model, maxCompletionTokens, role, call, seed, episode, format } = asked;
  const attributes: Attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': model.provider,
    'gen_ai.request.model': model.model,
    'gen_ai.output.type': format,
    'tau.task': episode.taskId,
    'tau.trial': episode.trial,
    'tau.role': role,
    'tau.call': call,
    'tau.attempt': info.attempt,
    temporalActivityId: info.activityId,
    ...(seed === null ? {} : { 'gen_ai.request.seed': seed }),
    ...(maxCompletionTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxCompletionTokens }),
    ...(model.temperature === null ? {} : { 'gen_ai.request.temperature': model.temperature }),
    ...(info.workflowExecution === undefined ? {} : { temporalWorkflowId: info.workflowExecution.workflowId }),
  };
  const tracer = trace.getTracer('tauflow');
  return await tracer.startActiveSpan(`chat ${model.model}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const output = await work();
      const answer = modelAnswerOf(output);
      if (answer !== null) span.setAttributes(answerAttributes(answer));
      return output;
    } catch (error) {
      span.setAttributes(failureAttributes(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

function answerAttributes({ usage, servedModel, finishReason, costUsd, cached }: ModelAnswer): Attributes {
  return {
    'gen_ai.response.model': servedModel,
    'gen_ai.response.finish_reasons': [finishReason],
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoningTokens,
    ...(costUsd === null ? {} : { 'tau.cost_usd': costUsd }),
    ...(cached === true ? { 'tau.cached': true } : {}),
  };
}

/** What a tool can be called; a name that is none of that is the model's own text. */
const ACTION_NAME = /^[A-Za-z_][\w-]{0,63}$/;

function stepAttributes({ action, writes }: StepInput): Attributes {
  const name = ACTION_NAME.test(action.name) ? action.name : 'not a name';
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'tau.action': name,
    'tau.writes': writes.length,
  };
}

function stepResultAttributes({ changed, done }: StepOutput): Attributes {
  return { 'tau.changed': changed, 'tau.done': done };
}

function gradeAttributes(output: GradeOutput): Attributes {
  return output.kind === 'graded' ? { 'tau.reward': output.info.reward } : {};
}

function recordAttributes({ outcome, reward, steps, usage }: RecordInput): Attributes {
  const { costUsd } = sumUsage(usage);
  return {
    'tau.outcome': outcome.kind,
    'tau.reward': reward,
    'tau.steps': steps.length,
    ...(costUsd === null ? {} : { 'tau.cost_usd': costUsd }),
  };
}

/** The kind of a failure, and the provider's status where there was one; its message may quote a prompt. */
function failureAttributes(error: unknown): Attributes {
  if (!(error instanceof ApplicationFailure)) return { 'error.type': error instanceof Error ? error.name : 'Error' };
  const [details] = (error.details ?? []) as [{ readonly status?: unknown } | null | undefined];
  const status = details?.status;
  return {
    'error.type': error.type ?? 'ApplicationFailure',
    ...(typeof status === 'number' ? { 'http.response.status_code': status } : {}),
  };
}
