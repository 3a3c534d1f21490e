/** Calls of τ³-bench's tools and hashes of both databases, on a domain of two tables. */

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';

import { openOverlay, StateHasher } from '../../../src/benchmarks/index.ts';
import { PyError, dumpSortedJson } from '../../../src/benchmarks/python/index.ts';
import { callTool } from '../../../src/benchmarks/tau3/index.ts';
import {
  databaseText,
  userWriteTool,
  writeTool,
  findTool,
  makeCall,
  toolMap,
  type Tau3Domain,
} from '../../../src/benchmarks/tau3/testing.ts';
import { sha256Hashing } from '../../../src/io/index.ts';
import { dict } from '../helpers.ts';

const rename = writeTool('rename', ['id', 'name'], (store, { id, name }) => {
  const renamed = new Map(store.get('people', id)).set('name', name);
  store.put('people', id, renamed);
  if (name === '') throw new PyError('ValueError', 'no name');
  return renamed;
});
const press = userWriteTool('press', [{ name: 'times', default: 1n }], (_store, { times }) => times);

const domain: Tau3Domain = {
  name: 'tau3-doors',
  files: [],
  assistant: {
    toolkit: 'DoorTools',
    tools: toolMap([rename]),
    database: [
      { table: 'people', form: 'map' },
      { table: 'logs', form: 'list' },
    ],
  },
  user: { toolkit: 'DoorUserTools', tools: toolMap([press]), database: [{ table: 'door', form: 'fields' }] },
  load: () => tables,
};

const tables =
  dict(`{"people": {"b": {"name": "Bo", "age": 4}, "a": {"name": "\u00e9"}}, "logs": {"z": {"n": 1}, "y": {"n": 2.0}},
  "door": {"lock": {"on": true}, "bell": {"on": null}}}`);

const call = (name: string, args = '{}', requestor: 'assistant' | 'user' = 'assistant') => {
  const state = openOverlay({ tables });
  return { ...callTool(domain, state, { requestor, name, arguments: dict(args) }), state };
};

it.each([
  ['rename', '{"id": "a", "name": "Al"}', '{"name": "Al"}', false],
  ['rename', '{"id": "c", "name": "Al"}', "Error: 'c'", true],
  ['rename', '{"id": "a"}', "Error: DoorTools.rename() missing 1 required positional argument: 'name'", true],
  ['rename', '{"id": "a", "x": 1}', "Error: DoorTools.rename() got an unexpected keyword argument 'x'", true],
  ['press', '{}', "Error: Tool 'press' not found.", true],
  [
    'rename',
    '{"requestor": 1}',
    'Error: tau2.environment.environment.Environment.make_tool_call() got multiple values for keyword argument ' +
      "'requestor'",
    true,
  ],
  ['rename', '{"self": 1}', "Error: Environment.make_tool_call() got multiple values for argument 'self'", true],
])('answers %s(%s) with %s', (name, args, observation, error) => {
  expect(call(name, args)).toMatchObject({ observation, error });
});

it('the observation of a lone number is a text, and each side has only its own tools', () => {
  expect(call('press', '{}', 'user')).toMatchObject({ observation: '"1"', error: false });
  expect(call('press', '{"times": 2.5}', 'user').observation).toBe('"2.5"');
  expect(makeCall(domain, openOverlay({ tables }), { requestor: 'user', name: 'press', arguments: dict('{}') })).toBe(
    1n,
  );
  expect(findTool(domain, 'press')?.requestor).toBe('user');
  expect(call('rename', '{}', 'user').observation).toBe("Error: Tool 'rename' not found.");
});

it('the hash of a database is that of its sorted JSON, with lists in their order', () => {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  const { state } = call('rename', '{"id": "a", "name": ""}');
  const agent = new StateHasher({ tables }, sha256Hashing, { text: databaseText(domain.assistant) });
  const user = new StateHasher({ tables }, sha256Hashing, { text: databaseText(domain.user ?? domain.assistant) });
  const people = '{"a": {"name": ""}, "b": {"age": 4, "name": "Bo"}}';
  expect(agent.hash(state)).toBe(hash(`{"logs": [{"n": 1}, {"n": 2.0}], "people": ${people}}`));
  expect(user.hash(state)).toBe(hash('{"bell": {"on": null}, "lock": {"on": true}}'));
  state.put('logs', 'x', dict('{"n": 3}'));
  state.put('people', 'c', dict('{}'));
  const more = '{"a": {"name": ""}, "b": {"age": 4, "name": "Bo"}, "c": {}}';
  expect(agent.hash(state)).toBe(hash(`{"logs": [{"n": 1}, {"n": 2.0}, {"n": 3}], "people": ${more}}`));
  expect(dumpSortedJson(dict('{"b": [{"z": 1, "y": 2}], "a": "\u00e9"}'))).toBe(
    '{"a": "\\u00e9", "b": [{"y": 2, "z": 1}]}',
  );
});
