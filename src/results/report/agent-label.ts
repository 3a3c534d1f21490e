/** Labels of agent services: the agent's own name, and the models that it called. Pure. */

import { AGENT_SERVICE, OWN_MODELS, isAgentRole } from '../../evaluation/index.ts';
import type { CallRole } from '../../agents/index.ts';
import type { EpisodeRow } from '../../run-log/index.ts';
import type { ReportSubject } from './subject.ts';

/** Longest name of an agent in a leaderboard row. */
const NAME_CHARS = 30;
const SHORT_NAMES: Readonly<Record<string, string>> = { 'fastworkflow-python': 'FW' };
/** Matches a version: `3.6.0`, `v2`, or the beginning of a digest. */
const VERSION = /^(?:v?\d[\w.+-]*|[0-9a-f]{12})$/;

/** Shortens an agent's name and version: `FW 3.6.0` for `fastworkflow-python retail 3.6.0 dspy 3.1.0 …`. */
export function shortAgentName(agentName: string): string {
  const words = agentName.split(/\s+/);
  const at = words.findIndex((word) => VERSION.test(word));
  const [first = ''] = words;
  const known = Object.hasOwn(SHORT_NAMES, first) ? SHORT_NAMES[first] : undefined;
  const name = known ?? (at === -1 ? words : words.slice(0, at)).join(' ');
  const cut = name.length <= NAME_CHARS ? name : `${name.slice(0, NAME_CHARS - 1)}…`;
  return [cut, ...(at === -1 ? [] : [words[at]])].filter((word) => word !== '').join(' ');
}

/** Most models that a label names, before the number of further ones. */
const MOST_MODELS = 3;

/** Replaces the configured agent model of a service by the models that it called. */
export function withCalledModels(subject: ReportSubject, rows: readonly EpisodeRow[]): ReportSubject {
  if (subject.strategy !== AGENT_SERVICE) return subject;
  // An episode that infrastructure ended may not have reached the agent.
  const played = rows.filter(({ outcome }) => outcome !== 'infrastructure_error' && outcome !== 'cancelled');
  if (played.length === 0) return subject;
  const usage = played.flatMap(({ roles }) => roles.filter(({ role }) => isAgentRole(role as CallRole)));
  const calls = usage.reduce((sum, role) => sum + role.calls, 0);
  const models = [...new Set(usage.flatMap(({ models: named = [] }) => named))];
  const { agentModel: configured } = subject;
  // A provider may serve a model under a longer name: gpt-4o-2024-08-06.
  const isConfigured = models.some((model) => configured !== null && model.startsWith(configured));
  if (isConfigured || (calls > 0 && models.length === 0)) return subject;
  const more = models.length > MOST_MODELS ? [`${String(models.length - MOST_MODELS)} more`] : [];
  return {
    ...subject,
    agentModel: models.length === 0 ? OWN_MODELS : [...models.slice(0, MOST_MODELS), ...more].join(' + '),
    agentProvider: subject.agentProvider === SCRIPTED_PROVIDER ? null : subject.agentProvider,
    notes: subject.notes.filter((note) => !note.startsWith(SCRIPTED_NOTE)),
  };
}

const SCRIPTED_PROVIDER = 'scripted';

/** First words of the note on a run whose agent used the scripted model. */
export const SCRIPTED_NOTE = 'The model was scripted (';
