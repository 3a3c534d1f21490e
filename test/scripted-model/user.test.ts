import { describe, expect, it } from 'vitest';
import { RequestProblem } from '../../src/scripted-model/reply.ts';
import { CANCEL, newPlayer, play, task, tinyPack, userSystem } from './helpers.ts';

const long = 'You are Ann. You want order #W1 cancelled, and then a coffee.';
const short = 'You are Ann. You want order #W1 cancelled';
const pack = tinyPack([task(long, [CANCEL]), task(short, [CANCEL]), task(long, [CANCEL])]);
const player = newPlayer(pack);
const greeting = { role: 'user', content: pack.userPrompts.greeting };

function ask(system: string, turns: readonly string[] = [], extra: Record<string, unknown> = {}) {
  const messages = turns.map((content, i) => ({ role: i % 2 === 0 ? 'assistant' : 'user', content }));
  return play(player, {
    model: 'oracle',
    messages: [{ role: 'system', content: system }, greeting, ...messages],
    ...extra,
  });
}

describe('the scripted customer', () => {
  it('opens with a line that names pack, split, task and seed', () => {
    const reply = ask(userSystem(pack, short), [], { seed: 7 });
    expect(reply).toMatchObject({ role: 'user', episode: '[case shop-3fa91c/test/1 s7]' });
    expect(reply.content).toMatch(/^[A-Z][^[]+[.?] \[case shop-3fa91c\/test\/1 s7\]$/);
  });

  it('gives the same opening to the same request', () => {
    expect(ask(userSystem(pack, short), [], { seed: 7 })).toEqual(ask(userSystem(pack, short), [], { seed: 7 }));
  });

  it('counts the trials of a task when the request brings no seed', () => {
    const fresh = newPlayer(pack);
    const messages = [{ role: 'system', content: userSystem(pack, long) }, greeting];
    const episodes = [1, 2, 3].map(() => play(fresh, { model: 'oracle', messages }).episode);
    expect(episodes).toEqual([0, 1, 2].map((seed) => `[case shop-3fa91c/test/0 s${seed}]`));
  });

  it('tells an instruction from a longer one that contains it', () => {
    expect(ask(userSystem(pack, long), [], { seed: 1 }).episode).toBe('[case shop-3fa91c/test/0 s1]');
  });

  it('finds the instruction in a template of another make', () => {
    const system = `Play this person, please.\n<story>${long}</story>`;
    expect(ask(system, [], { seed: 1 }).episode).toBe('[case shop-3fa91c/test/0 s1]');
  });

  it('consents to what the agent asks', () => {
    const opening = ask(userSystem(pack, short), [], { seed: 7 }).content ?? '';
    const reply = ask(userSystem(pack, short), [opening, 'I will cancel #W1. Do you confirm (yes/no)?']);
    expect(reply.content).toBe('Yes, please go ahead.');
    expect(reply.episode).toBe('[case shop-3fa91c/test/1 s7]');
  });

  it.each([
    'Everything has been taken care of. Your request is complete.',
    'Done. Is there anything else I can help you with?',
    'Goodbye!',
  ])('stops, with nothing but the marker, when the agent has told the end: %s', (said) => {
    expect(ask(userSystem(pack, short), ['Hi. [case shop-3fa91c/test/1 s7]', said]).content).toBe('###STOP###');
  });

  it('greets when it is asked without an instruction', () => {
    const { systemPromptWithoutInstruction: system = '' } = pack.userPrompts.strategies['llm'] ?? {};
    expect(ask(system)).toMatchObject({
      role: 'user',
      episode: null,
      content: expect.stringMatching(/^Hello/) as string,
    });
  });

  it('refuses, naming its packs, an instruction of a task that it has not loaded', () => {
    expect(() => ask(userSystem(pack, 'You are nobody.'))).toThrow(RequestProblem);
    expect(() => ask(userSystem(pack, 'You are nobody.'))).toThrow(/shop-3fa91c/);
  });

  it('labels thought and response for the react simulator', () => {
    const system = userSystem(pack, short, 'react');
    expect(ask(system, [], { seed: 3 }).content).toMatch(
      /^Thought:\n.+\n\nUser Response:\n.+ \[case shop-3fa91c\/test\/1 s3\]$/,
    );
    expect(ask(system, ['Hi. [case shop-3fa91c/test/1 s3]', 'Goodbye.']).content).toContain('###STOP###');
  });

  it('takes the content parts and the silence that the protocol allows', () => {
    const messages = [
      { role: 'system', content: [{ type: 'text', text: userSystem(pack, short) }] },
      greeting,
      { role: 'assistant', content: 'Hi. [case shop-3fa91c/test/1 s7]' },
      { role: 'user', content: null },
    ];
    expect(play(player, { model: 'oracle', messages }).content).toBe('Yes, please go ahead.');
  });
});

describe('the scripted supervisor', () => {
  const transcript = 'Agent: Hi. [case shop-3fa91c/test/1 s7]\nCustomer: How can I help?';
  const judge = (prompt: string) => play(player, { model: 'oracle', messages: [{ role: 'user', content: prompt }] });

  it('finds every reply satisfactory', () => {
    const prompt = `Judge the Response: true or false.\n# Transcript:\n${transcript}\n\n-----\n\nClassification:`;
    expect(judge(prompt)).toMatchObject({
      role: 'user/verify',
      content: 'true',
      episode: '[case shop-3fa91c/test/1 s7]',
    });
  });

  it('answers a request for a reflection in its two sections', () => {
    const prompt = `${transcript}\n# Format:\n\nReflection:\n<the reflection>\n\nResponse:\n<the response>`;
    expect(judge(prompt).content).toMatch(/^Reflection:\n.+\n\nResponse:\n.+$/);
  });
});

describe('a request of no known role', () => {
  it('is greeted, so that reachability can be checked', () => {
    expect(play(player, { model: 'oracle', messages: [{ role: 'user', content: 'ping' }] }).role).toBe('other');
  });
});
