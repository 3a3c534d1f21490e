/** Lines of `--decisions stdio`, and what such a run cannot have. */

import { expect, it } from 'vitest';

import { formatOpenAction, parseObservationLine } from '../../src/cli/run/testing.ts';
import { findObservationProblem, MAX_OBSERVATION_CHARS } from '../../src/episode/index.ts';
import { expectSentence, scratchFolder, tauflow } from './in-process.ts';

it('prints an action on one line, numbers spelt as the agent wrote them', () => {
  const kwargsJson = '{"amount": 131.0, "ids": [1, 2.50], "note": "a\\nb für"}';
  expect(formatOpenAction('task-3.trial-1', { number: 2, action: { name: 'pay', kwargsJson } })).toBe(
    '{"task_id": 3, "trial": 1, "id": "task-3.trial-1/2", "action": {"name": "pay", ' +
      '"kwargs": {"amount": 131.0, "ids": [1, 2.5], "note": "a\\nb f\\u00fcr"}}}',
  );
  expect(formatOpenAction('task-3.trial-1', { number: 0, action: null })).toBe(
    '{"task_id": 3, "trial": 1, "id": "task-3.trial-1/0", "reset": true}',
  );
});

it('a line has an observation, and `done` if it is given', () => {
  expect(parseObservationLine('{"id": "task-3.trial-1/12", "observation": "", "reward": 0}')).toEqual({
    name: 'task-3.trial-1',
    number: 12,
    observation: '',
    done: false,
  });
  expect(parseObservationLine(' {"id":"task-0.trial-0/1","observation":"x","done":true}')).toMatchObject({
    done: true,
  });
});

it.each([
  ['{', /^is not a JSON object such as/],
  ['[]', /^is not a JSON object such as/],
  ['{"observation": "x"}', /^needs the id of an action/],
  ['{"id": 3, "observation": "x"}', /^needs the id of an action/],
  ['{"id": "task-1.trial-0/3"}', /^needs an observation, a text$/],
  ['{"id": "task-1.trial-0/3", "observation": {}}', /^needs an observation, a text$/],
  ['{"id": "task-1.trial-0/3", "observation": "x", "done": 1}', /^has a done that is not true or false$/],
  ['{"id": "task-1/3", "observation": "x"}', /^has the id "task-1\/3"; one is written task-1\.trial-0\/3$/],
  ['{"id": "task-1.trial-0/03", "observation": "x"}', /^has the id/],
  [JSON.stringify({ id: 'task-1.trial-0/3', observation: 'x'.repeat(MAX_OBSERVATION_CHARS + 1) }), /more than 250000/],
])('the line %.60s is refused', (line, problem) => {
  expect(parseObservationLine(line).problem).toMatch(problem);
});

it('an observation is refused unless it is for the action that waits, and does not end the conversation as it opens', () => {
  const open = { number: 2, action: { name: 'look', kwargsJson: '{}' } };
  const given = { number: 2, observation: '', done: true };
  expect(findObservationProblem(given, open)).toBeNull();
  expect(findObservationProblem({ ...given, number: 1 }, open)).toMatch(/action 1 has its observation already/);
  expect(findObservationProblem({ ...given, number: 3 }, open)).toMatch(/not yet action 3/);
  expect(findObservationProblem(given, null)).toMatch(/no action waits/);
  expect(findObservationProblem({ number: 2 } as never, open)).toMatch(/an observation is/);
  const reset = { number: 0, action: null };
  expect(findObservationProblem({ number: 0, observation: ' ', done: false }, reset)).toMatch(/must have words/);
  expect(findObservationProblem({ number: 0, observation: '###STOP###', done: false }, reset)).toMatch(/opened before/);
});

it.each([
  [['--user-strategy', 'react'], /leave --user-strategy out/],
  [['--fail-under', '0.5'], /--fail-under needs a score/],
  [['--json'], /prints JSON lines, and --json one document/],
])('a run with --decisions stdio is refused with %j', async (words, sentence) => {
  const ended = await tauflow(['run', '--decisions', 'stdio', '--model', 'oracle', ...words], { cwd: scratchFolder() });
  expectSentence(ended, 2, sentence);
});

it('a run with --decisions stdio has no simulated user', async () => {
  const words = ['run', '--decision-only', '--decisions', 'stdio', '--model', 'oracle', '--task-ids', '1'];
  const { code, stdout, stderr } = await tauflow([...words, '--dry-run', '--json'], { cwd: scratchFolder() });
  expect(code, stderr).toBe(0);
  const { config } = JSON.parse(stdout) as { config: object };
  expect(config).toMatchObject({ strategy: 'tool-calling', user_strategy: 'outside', user_model: { model: 'human' } });
  expect(config).not.toHaveProperty('strategy_options.decision_only');
});

it('outside is no user strategy that a flag can name', async () => {
  const ended = await tauflow(['run', '--user-strategy', 'outside', '--model', 'oracle', '--dry-run'], {
    cwd: scratchFolder(),
  });
  expectSentence(
    ended,
    2,
    /unknown --user-strategy "outside"; this version has: llm, react, react-reference, verify, reflection, human/,
  );
});
