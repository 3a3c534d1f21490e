/**
 * Costs of the environment, in this process: its state is an overlay and its grade is incremental, so each row
 * is shown beside the plain way (copy everything, render everything) on the same data.
 */

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  RESPOND,
  StateHasher,
  applyAction,
  dataHash,
  foldActions,
  grade,
  openOverlay,
  type Action,
  type Task,
} from '../src/benchmarks/index.ts';
import { hashableRepr, isDict, isList, type PyValue } from '../src/benchmarks/python/index.ts';
import { sha256, sha256Hashing } from '../src/io/index.ts';
import { readPack, type Pack } from '../src/benchmarks/packs/index.ts';
import { median, race, ms, perSecond, type Row } from './table.ts';

const ROUNDS = 7;
const WRITES = 20;

export async function environmentRows(pack: Pack, split: string): Promise<Row[]> {
  const section = `Environment, in one process (${pack.ref.name}, ${split})`;
  const tasks = pack.splits[split] ?? [];
  const episodes = tasks.map(({ actions }) => actions.filter(({ name }) => name !== RESPOND));
  const steps = episodes.reduce((total, actions) => total + actions.length, 0);
  const writes = someWrites(pack, episodes);
  const changed = foldActions(pack, writes);
  const hasher = new StateHasher(pack, sha256Hashing, { maxKnown: 0 });
  const renderAll = () => sha256([hashableRepr(pack.tables)]);
  if (renderAll() !== dataHash(pack, openOverlay(pack), sha256)) throw new Error('the two ways to hash disagree');
  if (renderAll() !== hasher.hash(openOverlay(pack))) throw new Error('the two ways to hash disagree');
  const graded = tasks.find(({ outputs, actions }) => outputs.length === 0 && actions.length > 3) ?? takeFirst(tasks);
  const truth = dataHash(pack, foldActions(pack, graded.actions), sha256);

  const took = race(
    {
      reset: { run: () => openOverlay(pack) },
      copy: { run: () => deepCopy(pack.tables) },
      step: { run: () => episodes.map((actions) => playLive(pack, actions)), units: steps },
      stateless: { run: () => episodes.map((actions) => playStateless(pack, actions)), units: steps },
      fold: { run: () => foldActions(pack, writes) },
      hash: { run: () => dataHash(pack, changed, sha256) },
      resume: { run: () => hasher.hash(changed) },
      renderAll: { run: renderAll },
      grade: { run: () => grade(pack, graded, graded.actions, { hash: (state) => dataHash(pack, state, sha256) }) },
      gradeAgain: { run: () => grade(pack, graded, graded.actions, { hash: () => truth }) },
    },
    ROUNDS,
  );
  const parse = await parseTimes(pack);

  const copy = { ...ms(took.copy), what: 'deep copy of all tables' };
  const twice = { ...ms(2 * took.renderAll), what: 'render and hash all, twice' };
  return [
    { section, name: 'reset', measured: ms(took.reset), baseline: copy, target: { atMost: 0.05, of: 'measured' } },
    {
      section,
      name: 'step',
      measured: ms(took.step),
      baseline: { ...ms(took.stateless), what: 'with the fold of earlier writes' },
      target: { atMost: 0.01, of: 'measured' },
    },
    { section, name: 'steps per second', measured: perSecond(1000 / took.step) },
    {
      section,
      name: `fold of ${writes.length} writes`,
      measured: ms(took.fold),
      baseline: copy,
    },
    {
      section,
      name: 'data hash, incremental',
      measured: ms(took.hash),
      baseline: { ...ms(took.renderAll), what: 'render and hash all' },
    },
    {
      section,
      name: 'data hash, many states of a pack',
      measured: ms(took.resume),
      baseline: { ...ms(took.hash), what: 'incremental' },
    },
    { section, name: 'grade, first of a task', measured: ms(took.grade), baseline: twice },
    {
      section,
      name: 'grade, later trials',
      measured: ms(took.gradeAgain),
      baseline: twice,
      target: { atMost: 1, of: 'measured' },
    },
    {
      section,
      name: 'read a pack, checked',
      measured: ms(parse.pack),
      baseline: { ...ms(parse.json), what: 'JSON.parse of its files' },
    },
  ];
}

function playLive(pack: Pack, actions: readonly Action[]): unknown {
  const state = openOverlay(pack);
  let last: unknown;
  for (const action of actions) last = applyAction(pack, state, action);
  return last;
}

/** Takes steps as the step activity does: nothing is kept between steps but the list of writes. */
function playStateless(pack: Pack, actions: readonly Action[]): unknown {
  const writes: Action[] = [];
  let last: unknown;
  for (const action of actions) {
    const result = applyAction(pack, foldActions(pack, writes), action);
    if (result.changed) writes.push(action);
    last = result;
  }
  return last;
}

/** The first writes of the tasks that take effect one after another. */
function someWrites(pack: Pack, episodes: readonly (readonly Action[])[]): Action[] {
  const state = openOverlay(pack);
  return episodes
    .flat()
    .filter((action) => {
      const { changed, observation } = applyAction(pack, state, action);
      return changed && !observation.startsWith('Error');
    })
    .slice(0, WRITES);
}

async function parseTimes({ ref }: Pack): Promise<{ pack: number; json: number }> {
  const files = (await readdir(ref.path)).filter((file) => file.endsWith('.json'));
  const texts = await Promise.all(files.map((file) => readFile(join(ref.path, file), 'utf8')));
  const pack: number[] = [];
  const json: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    await readPack(ref.path);
    const middle = performance.now();
    texts.forEach((text) => JSON.parse(text) as unknown);
    pack.push(middle - start);
    json.push(performance.now() - middle);
  }
  return { pack: median(pack), json: median(json) };
}

function deepCopy(value: PyValue): PyValue {
  if (isList(value)) return value.map(deepCopy);
  if (isDict(value)) return new Map(Array.from(value, ([key, item]) => [key, deepCopy(item)] as const));
  return value;
}

function takeFirst(tasks: readonly Task[]): Task {
  const [task] = tasks;
  if (task === undefined) throw new RangeError('a split without tasks cannot be measured');
  return task;
}
