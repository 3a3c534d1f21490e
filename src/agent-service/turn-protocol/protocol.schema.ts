/**
 * The turn protocol, version 1: requests to an agent, its answers, and its calls. docs/agent-services.md describes it;
 * the files in schemas/ are made from these schemas.
 */

import * as z from 'zod';
import { MAX_TOOL_CALLS } from '../../evaluation/index.ts';

export const PROTOCOL = '1';

const text = z.string({ error: 'must be a text' });
const called = text.min(1, 'must not be empty').max(200, 'must have at most 200 characters');
const callId = text.min(1, 'must not be empty').max(200, 'must have at most 200 characters');

/** A call in the form of OpenAI's assistant messages. */
const openAiCall = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string().describe('JSON text of an object') }),
});

const userMessage = z.object({ role: z.literal('user'), content: z.string() });
const toolMessage = z.object({
  role: z.literal('tool'),
  tool_call_id: z.string(),
  name: z.string(),
  content: z.string(),
});
const assistantMessage = z.object({
  role: z.literal('assistant'),
  content: z.string().nullable(),
  tool_calls: z.array(openAiCall).readonly().optional(),
});

const count = z.int().min(1);
const address = z.string();

export const turnRequestSchema = z
  .object({
    protocol: z.literal(PROTOCOL),
    episode: z.string().describe('Identifies the episode; says nothing of its task'),
    turn: count.describe("Number of the user's message"),
    request: count.describe('Number of the request within the episode'),
    attempt: count.describe('Number of the attempt at this request: above 1 after a crash, a timeout or a 5xx'),
    idempotency_key: z.string().describe('The same for each attempt at a request; also the header Idempotency-Key'),
    messages: z
      .array(z.discriminatedUnion('role', [userMessage, toolMessage]))
      .readonly()
      .describe("The new messages: the user's, or results of the tool calls in the last answer"),
    conversation: z
      .array(z.discriminatedUnion('role', [userMessage, assistantMessage, toolMessage]))
      .readonly()
      .describe("The whole conversation in OpenAI's form, with the new messages, without a system message"),
    policy: z.string().describe("The domain's policy, which the agent has to keep to"),
    tools: z
      .array(
        z.object({
          type: z.literal('function'),
          function: z.looseObject({
            name: z.string(),
            description: z.string().optional(),
            parameters: z.record(z.string(), z.unknown()).optional(),
          }),
        }),
      )
      .readonly()
      .describe("The tools in OpenAI's form"),
    tools_url: address.describe('POST a tool call here'),
    model_url: address.describe('Base URL of an OpenAI-compatible API'),
    anthropic_url: address.describe('Base URL of an Anthropic-compatible API'),
    mcp_url: address.describe(
      'The tools and the policy as an MCP server; with /user/mcp at its end, respond_to_user too',
    ),
  })
  .describe('A request to the agent');

const calledArguments = z
  .union([z.string(), z.record(z.string(), z.unknown())], { error: 'must be an object, or JSON text of one' })
  .nullish();

const flatCall = z.object({ id: callId.nullish(), name: called, arguments: calledArguments });
const nestedCall = z.object({
  id: callId.nullish(),
  type: z.literal('function').nullish(),
  function: z.object({ name: called, arguments: calledArguments }),
});

export const turnAnswerSchema = z
  .object(
    {
      message: text.nullish().describe('Text for the user, which ends the turn'),
      tool_calls: z
        .array(z.union([flatCall, nestedCall], { error: callProblem }), { error: 'must be a list' })
        .max(MAX_TOOL_CALLS, `has more than ${String(MAX_TOOL_CALLS)} calls`)
        .readonly()
        .nullish()
        .describe('Carried out in order; the next request has the results. With them, message is not sent to the user'),
      end: z
        .boolean({ error: 'must be true or false' })
        .nullish()
        .describe('True ends the conversation; nothing beside it counts'),
      attempt: z
        .int()
        .min(1)
        .nullish()
        .describe(
          'The attempt that the answer was made in; given by an agent that keeps its answers by their idempotency key',
        ),
      usage: z.unknown().optional().describe('See ReportedUsage'),
    },
    { error: 'must be an object' },
  )
  .describe('The answer to a request: message, tool_calls or end');

/** Finds the first problem of a call in its form. */
function callProblem({ input }: { readonly input?: unknown }): string {
  const isNested = typeof input === 'object' && input !== null && 'function' in input;
  const [issue] = (isNested ? nestedCall : flatCall).safeParse(input).error?.issues ?? [];
  if (issue === undefined || issue.path.length === 0) return 'must be an object with name and arguments';
  return `${issue.path.join('.')} ${issue.code === 'invalid_type' && issue.path.at(-1) !== 'arguments' ? 'must be a text' : issue.message}`;
}

const tokens = z.number().int().min(0).nullish();

export const reportedUsageSchema = z
  .object({
    calls: tokens.describe('Model calls [default: 1]'),
    prompt_tokens: tokens,
    completion_tokens: tokens,
    cached_tokens: tokens,
    reasoning_tokens: tokens,
    cost_usd: z.number().min(0).nullish().describe('Left out: unknown'),
    model: z.string().max(200).nullish(),
  })
  .describe('Model calls for this answer that did not go through model_url or anthropic_url');

export const agentIdentitySchema = z
  .object({
    name: z.string().max(80).nullish(),
    version: z.string().max(80).nullish(),
    protocol: z.string().max(20).nullish(),
  })
  .describe('The answer to GET: the identity that comparisons of runs use');

export const toolCallSchema = z
  .object({ name: called, arguments: calledArguments })
  .describe('A tool call, sent to tools_url while a request is under way');

export const toolResultSchema = z
  .object({
    observation: z.string().describe('What the tool says, its errors included'),
    done: z.boolean().describe('True if the episode has ended with this call'),
  })
  .describe('The result of a tool call');

export const errorSchema = z
  .object({
    error: z
      .string()
      .describe('unknown_token, stale, diverged, over or invalid; from the agent: unknown_episode, agent_failed'),
    message: z.string().optional(),
  })
  .describe('An error');

export type TurnRequest = z.infer<typeof turnRequestSchema>;
/** The answer to `GET`. A field is null if it is missing, or if the status was not 200. */
export interface AgentIdentity {
  readonly status: number;
  readonly name: string | null;
  readonly version: string | null;
  readonly protocol: string | null;
}
