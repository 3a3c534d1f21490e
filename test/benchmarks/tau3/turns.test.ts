/** Prompts of τ³-bench's agent and user, and the order of turns. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import {
  FIRST_AGENT_MESSAGE,
  agentSystemPrompt,
  scenarioText,
  telecomPolicy,
  userSystemPrompt,
  FIRST_TURN,
  afterMessage,
  afterToolResults,
  isUserStop,
  type TurnState,
} from '../../../src/benchmarks/tau3/testing.ts';
import { tau3Dir } from '../../helpers/tau3-folder.ts';
import { dict } from '../helpers.ts';

const say = (text: string) => ({ text });
const callTools = (text: string | null = null) => ({ text, toolCalls: ['a call'] });

/** A turn that the user or the agent is to take. */
const at = (changes: Partial<TurnState>): TurnState => ({ ...FIRST_TURN, ...changes });

describe('the order of turns', () => {
  it('returns to the caller of a tool, and to the other side after a text', () => {
    const calling = afterMessage(FIRST_TURN, callTools());
    expect(calling).toEqual({ next: 'user', isCalling: true, steps: 1, errors: 0 });
    const called = afterToolResults(calling, 1);
    expect(called).toEqual({ next: 'user', isCalling: false, steps: 2, errors: 1 });
    expect(afterMessage(called, say('It failed.'))).toEqual({
      next: 'assistant',
      isCalling: false,
      steps: 3,
      errors: 1,
    });
    expect(() => afterMessage(calling, say('x'))).toThrow('tool calls wait to be carried out');
    expect(() => afterToolResults(called, 0)).toThrow('no tool calls wait to be carried out');
  });

  it.each(['###STOP###', 'Bye ###TRANSFER###', '###OUT-OF-SCOPE### sorry'])('ends when the user says %s', (text) => {
    expect(afterMessage(FIRST_TURN, say(text)).termination).toBe('user_stop');
    // The agent may say so, and the user beside a call.
    expect(afterMessage(at({ next: 'assistant' }), say(text)).termination).toBeUndefined();
    expect(isUserStop(callTools(text))).toBe(false);
  });

  it('counts steps and errors of both sides, and executes the last calls', () => {
    const last = afterMessage(at({ steps: 199 }), callTools());
    expect(last).toMatchObject({ steps: 200, isCalling: true });
    expect(last.termination).toBeUndefined();
    expect(afterToolResults(last, 0)).toMatchObject({ steps: 201, termination: 'max_steps' });
    expect(afterToolResults(at({ isCalling: true, errors: 8 }), 2).termination).toBe('too_many_errors');
    // A limit that is reached by the user's last word prevails.
    expect(afterMessage(at({ steps: 199 }), say('###STOP###')).termination).toBe('max_steps');
    expect(afterMessage(at({ steps: 2 }), say('Hello'), { maxSteps: 3 }).termination).toBe('max_steps');
    expect(() => afterMessage(at({ termination: 'max_steps' }), say('x'))).toThrow('the episode has ended: max_steps');
  });

  it('ends at a message that says nothing, and where it is strict, at a text with calls', () => {
    expect(afterMessage(FIRST_TURN, say(' \n')).termination).toBe('infrastructure_error');
    expect(afterMessage(FIRST_TURN, callTools('Look')).termination).toBeUndefined();
    expect(afterMessage(FIRST_TURN, callTools('Look'), { isStrict: true }).termination).toBe('user_error');
    const agent = at({ next: 'assistant' });
    expect(afterMessage(agent, callTools('Look'), { isStrict: true }).termination).toBe('agent_error');
  });
});

describe('prompts', () => {
  it('indents the parts of a scenario that a task has, empty lines excepted', () => {
    const scenario =
      dict(`{"persona": "Terse.\\n\\nCold.", "instructions": {"domain": "telecom", "reason_for_call": "No signal.",
      "known_info": null, "unknown_info": "The plan.", "task_instructions": "Ask {once}, pay $& more.\\n"}}`);
    expect(userSystemPrompt('Play.<PERSONA_GUIDELINES>', scenarioText(scenario))).toBe(
      'Play.\n\n<scenario>\nPersona:\n\tTerse.\n\n\tCold.\nInstructions:\n\tDomain: telecom\n\tReason for call:\n' +
        '\t\tNo signal.\n\tUnknown info:\n\t\tThe plan.\n\tTask instructions:\n\t\tAsk {once}, pay $& more.\n\n</scenario>',
    );
    expect(scenarioText(dict('{"instructions": "Just call."}'))).toBe('Instructions:\n\tJust call.');
  });

  it.skipIf(tau3Dir === null)('have the reference’s words', () => {
    const known = JSON.parse(readFileSync(join(tau3Dir ?? '', 'prompts.json'), 'utf8')) as Record<string, string>;
    const wanted = (known['agent_system_prompt'] ?? '').replace(
      '{agent_instruction}',
      known['agent_instruction'] ?? '',
    );
    expect(agentSystemPrompt('{domain_policy}')).toBe(wanted);
    expect(FIRST_AGENT_MESSAGE).toBe(known['first_agent_message']);
    expect(telecomPolicy('A', 'B')).toBe(
      '<main_policy>\nA\n</main_policy>\n<tech_support_policy>\nB\n</tech_support_policy>',
    );
  });
});
