/** Sentences on calls that wait for their provider: for how long, and what the user can do. */

import { AGENT_SERVICE, ENVIRONMENT_SERVICE } from './names.ts';
import type { HeldProvider } from './held.ts';

/** Cause of an automatic pause, a phrase for the end of a sentence about a provider or an agent service. */
export const HALT_CAUSE = 'calls are refused or not answered';

/** Sentence on the effect of a pause, for every command and Temporal UI. */
export const PAUSE_EFFECT = 'open episodes continue to their end, no others are opened';

/** Returns the reason of a pause after a provider was away for too long. */
export function awayTooLong(reason: string, provider: string, boundMs: number): string {
  return `${reason} (${callee(provider)} did not answer for ${Math.round(boundMs / 1000)} s)`;
}

function callee(provider: string): string {
  if (provider === AGENT_SERVICE) return 'the agent';
  return provider === ENVIRONMENT_SERVICE ? 'the environment' : provider;
}

/**
 * Formats held calls:
 * `waiting for openai since 14:02 UTC, 7 episodes held, next try in 40 s, gives up at 20:02 UTC: 503 …`.
 * @param now ms since the epoch; null if the text is not redrawn, so that it names the time of the next try
 */
function formatHeld(held: HeldProvider, now: number | null): string {
  const { provider, reason, since, episodes, isRefused } = held;
  const parts = [
    `waiting for ${callee(provider)} since ${since.slice(11, 16)} UTC`,
    `${episodes} ${episodes === 1 ? 'episode' : 'episodes'} held`,
    isRefused ? 'until the run is resumed' : nextTry(held, now),
    ...(isRefused ? [] : giveUp(held)),
  ];
  return `${parts.join(', ')}: ${reason}`;
}

/** Returns the commands that end a wait; null if the run is unknown. */
function heldCommands({ runId, names = [], episodes, isRefused }: HeldProvider): string | null {
  if (runId === undefined) return null;
  const cancel = `to end ${episodes === 1 ? 'the episode' : 'an episode'}: npx tauflow cancel ${runId} ${names[0] ?? 'EPISODE'}`;
  const go = isRefused
    ? `to try again: npx tauflow resume ${runId}`
    : `to wait less or longer: npx tauflow set ${runId} --outage-timeout 30m`;
  return `${cancel}; ${go}`;
}

/** Returns {@link formatHeld}, and {@link heldCommands} on a line of their own. */
export function heldLines(held: HeldProvider, now: number | null): string[] {
  const commands = heldCommands(held);
  return commands === null ? [formatHeld(held, now)] : [formatHeld(held, now), commands];
}

/** Duration of an attempt in ms from which it is shown. */
const LONG_TRY_MS = 10_000;
/** Longest wait until the next attempt that is shown, in ms. */
const LONGEST_WAIT_MS = 600_000;

function nextTry({ nextTryAt: at, tryingSince, needsPlace }: HeldProvider, now: number | null): string {
  if (at === null) {
    const forMs = tryingSince === undefined || now === null ? 0 : now - Date.parse(tryingSince);
    return forMs < LONG_TRY_MS ? 'trying now' : `a call has been running for ${Math.round(forMs / 1000)} s`;
  }
  const inMs = now === null ? Infinity : Date.parse(at) - now;
  if (needsPlace === true && inMs <= 0) return 'next try when another episode has ended';
  // Longer than any wait, so the clocks of server and reader differ, or one was set.
  if (inMs > LONGEST_WAIT_MS) return `next try at ${at.slice(11, 19)} UTC`;
  return `next try in ${Math.max(0, Math.round(inMs / 1000))} s`;
}

const DAY_MS = 86_400_000;

function giveUp({ givesUpAt: at, since, boundMs }: HeldProvider): string[] {
  if (at !== undefined) {
    const isFar = Date.parse(at) - Date.parse(since) >= DAY_MS;
    return [`gives up at ${isFar ? `${at.slice(0, 10)} ` : ''}${at.slice(11, 16)} UTC`];
  }
  return boundMs === undefined || boundMs === 0 ? [] : [`gives up after ${inWords(boundMs)} without an answer`];
}

function inWords(ms: number): string {
  const units = [
    ['h', 3_600_000],
    ['min', 60_000],
  ] as const;
  const [unit, size] = units.find(([, each]) => ms >= each && ms % each === 0) ?? (['s', 1000] as const);
  return `${ms / size} ${unit}`;
}
