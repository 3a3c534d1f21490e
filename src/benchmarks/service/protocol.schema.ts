/**
 * The environment protocol, version 1: requests to environment services and their answers, in JSON. The page
 * docs/environment-services.md describes it; the files in schemas/ are made from these schemas.
 */

import * as z from 'zod';
import { EPISODE_RULES } from '../rules.ts';

export const PROTOCOL = '1';

const text = z.string({ error: 'must be a text' });
const name = text.min(1, 'must not be empty').max(200, 'must have at most 200 characters');
/** Id of a task. The limit allows for tau2's telecom, whose ids name each fault in 215 characters. */
const taskId = text.min(1, 'must not be empty').max(1000, 'must have at most 1000 characters');
const flag = z.boolean({ error: 'must be true or false' });
const fields = z.record(z.string(), z.unknown(), { error: 'must be an object' });

function list<T extends z.ZodType>(element: T) {
  return z.array(element, { error: 'must be a list' }).readonly();
}

function object<T extends z.ZodRawShape>(shape: T) {
  return z.object(shape, { error: 'must be an object' });
}

function oneOf<const T extends readonly [string, ...string[]]>(...values: T) {
  return z.enum(values, { error: `must be ${values.map((value) => `"${value}"`).join(' or ')}` });
}

const rules = oneOf(...EPISODE_RULES);

export const descriptionSchema = object({
  name: name
    .refine((value) => !value.includes(':'), 'must not contain ":"')
    .describe('Name of the benchmark; part of a run’s identity'),
  version: name.describe('Version of the benchmark; part of a run’s identity'),
  protocol: z.literal(PROTOCOL, { error: `must be "${PROTOCOL}", the version that this tauflow speaks` }),
  replays: flag.nullish().describe('False: calls cannot be made again [default: true]'),
  rules: rules.describe('Rules of an episode'),
  domains: list(name).check(z.minLength(1, 'must name a domain')),
  options: fields.nullish().describe('JSON Schema of the options'),
  defaults: object({
    split: name.nullish(),
    max_steps: z.int({ error: 'must be a whole number' }).min(1, 'must be at least 1').nullish(),
  })
    .nullish()
    .describe('Values of a run’s options that a person leaves out'),
}).describe('The answer to GET');

const requestor = oneOf('assistant', 'user');

export const callSchema = object({
  requestor: requestor.describe('The agent or the simulated user'),
  name: name.describe('Name of the tool'),
  arguments: text.describe('JSON text of an object, so that 131.0 does not become 131'),
}).describe('A tool call');

const tool = object({
  type: z.literal('function', { error: 'must be "function"' }),
  function: z.looseObject(
    { name, description: text.nullish(), parameters: fields.nullish() },
    { error: 'must be an object' },
  ),
});

const task = object({
  id: taskId,
  actions: list(callSchema).nullish().describe('Ground truth'),
  outputs: list(text).nullish().describe('Texts that the agent must say'),
  instruction: text.nullish().describe('The user’s situation and wishes, for people'),
  sentences: list(text).nullish().describe('Sentences that a judge decides on'),
}).describe('A task; agents see nothing of it');

export const tasksSchema = object({
  digest: name.describe('Digest of the task set; part of a run’s identity'),
  rules: rules.nullish().describe('Rules of an episode with these options [default: those of the description]'),
  splits: z.record(z.string(), list(taskId), { error: 'must be an object' }).describe('Ids of the tasks of each split'),
  tasks: list(task),
}).describe('The answer to tasks');

const state = object({ agent: text.nullish(), user: text.nullish() }).describe(
  'Digests of the agent’s data and of the user’s; null where there are none',
);

export const startSchema = object({
  policy: text.describe('The policy that the agent has to keep to'),
  tools: list(tool).describe('The agent’s tools in OpenAI’s form'),
  user_tools: list(tool).nullish().describe('Tools of the simulated user'),
  agent_prompt: text.nullish().describe('The agent’s whole system prompt [default: that of the rules]'),
  user_prompt: text.nullish().describe('The whole system prompt of the simulated user'),
  scenario: text.nullish().describe('Without user_prompt: the user’s situation and wishes'),
  guidelines: text.nullish().describe('Without user_prompt: how the user behaves'),
  first_message: text
    .nullish()
    .describe('tau2: the agent’s greeting; tau-bench: the user’s first message; solo: the task'),
  content: text
    .nullish()
    .describe('JSON text of the task in the benchmark’s own form, for exports; agents never see it'),
  state: state.nullish(),
  life: name.nullish().describe('With replays false: a name for this life of the service'),
}).describe('The answer to start');

export const observationSchema = object({
  observation: text.describe('The tool’s result, or its error'),
  error: flag.nullish().describe('True if the call has failed [default: false]'),
  changed: flag.nullish().describe('False if the state is as before [default: true]'),
  done: flag.nullish().describe('True if the episode has ended [default: false]'),
  state: state.nullish().describe('Digests after the call'),
}).describe('The answer to call');

const check = object({
  wanted: text.nullish().describe('What the task wants, in words'),
  met: flag.nullish().describe('Null: a judge has to decide'),
  reason: text.nullish(),
});

export const gradeSchema = object({
  reward: z.number({ error: 'must be a number' }).min(0, 'must not be below 0').max(1, 'must not be above 1'),
  parts: list(
    object({
      kind: oneOf('data', 'outputs', 'calls', 'assertions', 'sentences'),
      counts: flag.describe('True if the reward depends on it'),
      checks: list(check),
    }),
  ).nullish(),
}).describe('The answer to grade');

export const errorSchema = object({
  error: object({
    type: text.describe('bad_request, unknown_task, episode_lost, unavailable, or one of your own'),
    message: text.describe('One sentence for a person'),
  }),
}).describe('An error, with status 4xx or 5xx');

const common = { protocol: z.literal(PROTOCOL), domain: name, options: fields.describe('Values of the options') };
const ofEpisode = {
  ...common,
  episode: name.describe('Names the episode, for a service that keeps its state'),
  task: name.describe('Id of the task'),
};
const calls = list(callSchema).describe('The earlier calls that changed the state, in order');
const life = name.optional().describe('As start answered it');

export const tasksRequestSchema = object({
  ...common,
  request: z.literal('tasks'),
  split: name.nullable().describe('Null: all tasks'),
}).describe('Asks for the tasks, before the first episode');

export const startRequestSchema = object({ ...ofEpisode, request: z.literal('start') }).describe(
  'Asks for the beginning of an episode',
);

export const callRequestSchema = object({
  ...ofEpisode,
  request: z.literal('call'),
  calls,
  call: callSchema,
  idempotency_key: text.describe('The same for a request that is sent again; also the header Idempotency-Key'),
  life,
}).describe('Makes one tool call');

export const gradeRequestSchema = object({
  ...ofEpisode,
  request: z.literal('grade'),
  calls,
  messages: list(z.looseObject({ role: z.enum(['assistant', 'user', 'tool']) })).describe(
    'The conversation in OpenAI’s form, without a system message; results of the user’s calls have requestor user',
  ),
  ended_by: text.describe('Why the episode ended, such as user_stop, transferred or max_steps'),
  verdicts: list(object({ sentence: text, met: flag, reason: text }))
    .optional()
    .describe('The judge’s verdicts on the sentences of an earlier grade'),
  life,
}).describe('Asks for the grade of an episode');
