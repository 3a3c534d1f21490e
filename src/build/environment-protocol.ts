/** Documents on the environment protocol for other programs, made of its schemas. */

import type * as z from 'zod';
import { toJsonSchema } from '../agent-service/turn-protocol/describe.ts';
import { ENV_KEY } from '../benchmarks/service/http.ts';
import {
  PROTOCOL,
  callRequestSchema,
  callSchema,
  descriptionSchema,
  errorSchema,
  gradeRequestSchema,
  gradeSchema,
  observationSchema,
  startRequestSchema,
  startSchema,
  tasksRequestSchema,
  tasksSchema,
} from '../benchmarks/service/protocol.schema.ts';

type Json = Readonly<Record<string, unknown>>;

export const ENVIRONMENT_SCHEMAS = {
  Description: descriptionSchema,
  TasksRequest: tasksRequestSchema,
  Tasks: tasksSchema,
  StartRequest: startRequestSchema,
  Start: startSchema,
  CallRequest: callRequestSchema,
  Observation: observationSchema,
  GradeRequest: gradeRequestSchema,
  Grade: gradeSchema,
  ToolCall: callSchema,
  Error: errorSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;
type Name = keyof typeof ENVIRONMENT_SCHEMAS;

function definitions(): Json {
  return Object.fromEntries(Object.entries(ENVIRONMENT_SCHEMAS).map(([name, schema]) => [name, toJsonSchema(schema)]));
}

/** Returns the JSON Schema (2020-12) of the protocol's documents. */
export function environmentSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `Environment protocol ${PROTOCOL} of tauflow`,
    $defs: definitions(),
  };
}

/** Returns the OpenAPI 3.1 description of an environment service. */
export function environmentOpenApi(): Json {
  const ref = (name: Name) => ({ $ref: `#/components/schemas/${name}` });
  const oneOf = (...names: readonly Name[]) => ({ 'application/json': { schema: { oneOf: names.map(ref) } } });
  const answer = (description: string, ...names: readonly Name[]) => ({ description, content: oneOf(...names) });
  return {
    openapi: '3.1.0',
    info: { title: 'Environment protocol of tauflow', version: PROTOCOL },
    paths: {
      '/': {
        get: {
          summary: 'Name, version and rules of the benchmark',
          responses: { 200: answer('What it is', 'Description') },
        },
        post: {
          summary: 'One of four requests, which its field request names',
          parameters: [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }],
          security: [{}, { key: [] }],
          requestBody: {
            required: true,
            content: oneOf('TasksRequest', 'StartRequest', 'CallRequest', 'GradeRequest'),
          },
          responses: {
            200: answer('The answer to the request', 'Tasks', 'Start', 'Observation', 'Grade'),
            400: answer('bad_request', 'Error'),
            404: answer('unknown_task', 'Error'),
            409: answer('episode_lost: calls cannot be made again, so that the episode begins anew', 'Error'),
            422: answer('unavailable: a domain or an option lacks what it needs', 'Error'),
            429: { description: 'An outage, as each 5xx is: the request is sent again, after Retry-After' },
          },
        },
      },
    },
    components: {
      schemas: definitions(),
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: `${ENV_KEY} of the worker` } },
    },
  };
}
