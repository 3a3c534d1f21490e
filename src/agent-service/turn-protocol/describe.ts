/** Documents on the protocol for other programs, made from its schemas. */

import * as z from 'zod';
import {
  agentIdentitySchema,
  errorSchema,
  PROTOCOL,
  reportedUsageSchema,
  toolCallSchema,
  toolResultSchema,
  turnAnswerSchema,
  turnRequestSchema,
} from './protocol.schema.ts';

const SCHEMAS = {
  AgentIdentity: agentIdentitySchema,
  TurnRequest: turnRequestSchema,
  TurnAnswer: turnAnswerSchema,
  ReportedUsage: reportedUsageSchema,
  ToolCall: toolCallSchema,
  ToolResult: toolResultSchema,
  Error: errorSchema,
} as const;
type Name = keyof typeof SCHEMAS;
type Json = Readonly<Record<string, unknown>>;

/** Returns the JSON Schema (2020-12) of the protocol's documents. */
export function protocolSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Turn protocol ${PROTOCOL} of tauflow`,
    $defs: definitions('#/$defs/'),
  };
}

/** Returns the OpenAPI 3.1 description of the agent's API and of the tools endpoint that it calls. */
export function protocolOpenApi(): Json {
  const json = (name: Name) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const body = (name: Name) => ({ required: true, content: json(name) });
  const answer = (description: string, name: Name) => ({ description, content: json(name) });
  return {
    openapi: '3.1.0',
    info: { title: 'Turn protocol of tauflow', version: PROTOCOL },
    paths: {
      '/': {
        get: { summary: 'Name and version of the agent', responses: { 200: answer('Its identity', 'AgentIdentity') } },
        post: {
          summary: "One message of the user, or the results of the last answer's tool calls",
          parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
          security: [{}, { key: [] }],
          requestBody: body('TurnRequest'),
          responses: {
            200: answer('The answer', 'TurnAnswer'),
            404: answer('unknown_episode: the agent has lost the episode, and is walked through it again', 'Error'),
            429: { description: 'Passing trouble, as 503 and each 5xx are; Retry-After is kept' },
          },
          callbacks: {
            tools: {
              '{$request.body#/tools_url}': {
                post: {
                  summary: 'Carries out a tool call, one at a time',
                  requestBody: body('ToolCall'),
                  responses: {
                    200: answer('The result', 'ToolResult'),
                    400: answer('invalid: no JSON object, or arguments that are none', 'Error'),
                    404: answer('unknown_token', 'Error'),
                    409: answer(
                      'stale: the request is answered or made anew; diverged: see docs/agent-services.md',
                      'Error',
                    ),
                    410: answer('over: the episode has ended', 'Error'),
                  },
                },
              },
            },
          },
        },
      },
    },
    components: {
      schemas: definitions('#/components/schemas/'),
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'TAUFLOW_AGENT_KEY of the worker' } },
    },
  };
}

function definitions(place: string): Json {
  const all = Object.fromEntries(Object.entries(SCHEMAS).map(([name, schema]) => [name, toJsonSchema(schema)]));
  const answer = all['TurnAnswer'];
  const usage = { anyOf: [{ $ref: `${place}ReportedUsage` }, { type: 'null' }] };
  const TurnAnswer = {
    ...answer,
    properties: { ...(answer?.['properties'] as Json), usage },
    anyOf: ['message', 'tool_calls', 'end'].map((name) => ({ required: [name] })),
  };
  return { ...all, TurnAnswer };
}

/** Returns a document's JSON Schema, without facts about this program's types. */
export function toJsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      delete jsonSchema.readOnly;
    },
  });
  return rest;
}
