/** Reads a peer's request for an assessment: JSON, the tags of AgentBeats' assessors, or a sentence. */

import * as z from 'zod';
import { DOMAINS } from '../../benchmarks/packs/index.ts';

/** Settings of a run that a peer requests. The server chooses all other settings. */
export interface Assessment {
  readonly agentUrl: string;
  readonly env?: string | undefined;
  readonly numTrials?: number | undefined;
  readonly taskIds?: readonly number[] | undefined;
  readonly startIndex?: number | undefined;
  readonly endIndex?: number | undefined;
}

const MOST_TRIALS = 100;
const MOST_TASKS = 10_000;

const index = z.coerce.number().int().min(0).max(1_000_000);
const ENV = z.enum(DOMAINS);
const NAMED_ENV = new RegExp(`\\b(${DOMAINS.join('|')})\\b`, 'i');

const settings = z.object({
  env: ENV.optional(),
  domain: ENV.optional(),
  num_trials: z.coerce.number().int().min(1).max(MOST_TRIALS).optional(),
  task_ids: z.array(index).min(1).max(MOST_TASKS).nullish(),
  start_index: index.optional(),
  end_index: index.optional(),
});

const asked = settings.extend({
  agent_url: z.string().optional(),
  participants: z.record(z.string(), z.string()).optional(),
  config: settings.optional(),
});

/** Help for a peer whose request is not understood. */
export const ASSESSMENT_HELP =
  'Say for example "assess http://127.0.0.1:9000 on retail, 4 trials, tasks 0-9", or send the data ' +
  '{"participants": {"agent": "http://…"}, "config": {"env": "retail", "num_trials": 4, "task_ids": [0, 1]}}.';

/**
 * @param data first data part of the message, or null @returns a problem in one sentence if it is not a request for an
 *   assessment
 */
export function readAssessment(text: string, data: object | null): Assessment | { readonly problem: string } {
  const given = data ?? tryParse(text) ?? fromTags(text);
  if (given === null) return fromSentence(text);
  const read = asked.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { problem: `the assessment cannot be read (${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}).` };
  }
  const { agent_url, participants = {}, config, ...own } = read.data;
  const { env, domain, num_trials, task_ids, start_index, end_index } = { ...own, ...config };
  return checkAssessment({
    agentUrl: agent_url ?? Object.values(participants)[0] ?? '',
    env: env ?? domain,
    numTrials: num_trials,
    taskIds: task_ids ?? undefined,
    startIndex: start_index,
    endIndex: end_index,
  });
}

/** Accepts only web addresses of agents, because the code of a file would run on this machine. */
function checkAssessment(assessment: Assessment): Assessment | { readonly problem: string } {
  const { agentUrl } = assessment;
  const { protocol = '', username = '', password = '' } = URL.canParse(agentUrl) ? new URL(agentUrl) : {};
  if (/^https?:$/.test(protocol) && username === '' && password === '') return assessment;
  return { problem: 'the assessment names no agent by its http(s) URL.' };
}

function fromSentence(text: string): Assessment | { readonly problem: string } {
  const words = text.slice(0, MOST_CHARS);
  let url = /https?:\/\/[^\s"'<>`]+/i.exec(words)?.[0] ?? '';
  // Punctuation after the address belongs to the sentence.
  while (/[.,;:!?)]$/.test(url)) url = url.slice(0, -1);
  const trials = Number(/\b(\d{1,4}) trials?\b/i.exec(words)?.[1] ?? 1);
  const [, first, last = first] = /\btasks? (\d{1,6})(?: ?(?:-|to) ?(\d{1,6}))?\b/i.exec(words) ?? [];
  if (trials < 1 || trials > MOST_TRIALS) return { problem: `the trials have to be from 1 to ${MOST_TRIALS}.` };
  return checkAssessment({
    agentUrl: url,
    env: NAMED_ENV.exec(words.replace(url, ''))?.[1]?.toLowerCase(),
    numTrials: trials,
    ...(first === undefined ? {} : { startIndex: Number(first), endIndex: Number(last) + 1 }),
  });
}

const MOST_CHARS = 10_000;

/** Reads AgentBeats' first format: the agent's address and the settings in tags. */
function fromTags(text: string): object | null {
  const url = inTag(text, 'white_agent_url') ?? inTag(text, 'agent_url');
  if (url === null) return null;
  return { agent_url: url, config: tryParse(inTag(text, 'env_config') ?? '{}') ?? 'no JSON' };
}

function inTag(text: string, tag: string): string | null {
  const start = text.indexOf(`<${tag}>`);
  const end = start === -1 ? -1 : text.indexOf(`</${tag}>`, start);
  return end === -1 ? null : text.slice(start + tag.length + 2, end).trim();
}

/** @returns null for anything but a JSON object */
function tryParse(text: string): object | null {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : null;
  } catch {
    return null;
  }
}
