/**
 * Thoughts and forms that were not meant to be heard.
 *
 * Looks at: labels at the start of a line and tags (`Thought:`, `<think>`, `User Response:`, `Reflection:`, `Classification:`, roles), JSON
 * objects, words about the part that is played ("according to my instruction"), and gaps left to be filled in (`[your order id]`).
 * Cannot see: thoughts in other words and without a label.
 * Severity: suspect, a gap a remark. Where the agent hears the thoughts of a `react` customer by design
 * (`--compat react-user`), every episode of the run is marked: it is what happened.
 */

import type { CustomerFinding } from '../types.ts';
import { finding, type Detector } from './detector.ts';

const LABEL =
  /^[\p{Zs}\t>*_#-]*(?:Thoughts?|User Response|Reflection|Classification|Reasoning|Response|Instructions?|Rules|Action|API output|Observation|User|Customer|Agent|Assistant|System)[*_]*\s*:/imu;
const TAG =
  /<\/?(?:think|thought|thinking|reasoning|response|scratchpad)>|^[\p{Zs}\t]*\[(?:thinking|thought|internal|note)\b/imu;
const JSON_OBJECT = /\{\s*"[^"]+"\s*:/;
/** What only somebody says who plays a part. */
const ASIDE =
  /\b(?:according to|based on) (?:my|the) instructions?\b|\bI am simulating\b|\bI'm simulating\b|\bas (?:an AI|a language model|a simulated)\b|\(I (?:should|must|need to|will|was told)\b|\b(?:I should|I must|I was told to) not (?:reveal|disclose|provide|give away|mention)\b/i;
const GAP = /\[(?:(?:your|insert|provide|enter|my|fill in)\b[^[\]]*|[a-z ]+ (?:id|number|name|code|date))\]/i;

export const findLeaks: Detector = ({ turns }) =>
  turns.flatMap((turn): CustomerFinding[] => {
    const label = (LABEL.exec(turn.text) ?? TAG.exec(turn.text))?.[0].trim();
    if (label !== undefined) {
      return [finding('leaked_thought', 'suspect', turn, `The customer's words have a label, "${label}".`)];
    }
    if (JSON_OBJECT.test(turn.text)) {
      return [finding('leaked_thought', 'suspect', turn, 'The customer speaks in JSON.')];
    }
    const aside = ASIDE.exec(turn.text)?.[0];
    if (aside !== undefined) {
      return [finding('leaked_thought', 'suspect', turn, `The customer speaks of the part that it plays: "${aside}".`)];
    }
    const gap = GAP.exec(turn.text)?.[0];
    if (gap === undefined) return [];
    return [finding('leaked_thought', 'remark', turn, `The customer leaves a gap to be filled in, ${gap}.`)];
  });
