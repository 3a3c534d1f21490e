/** The routes of the view, as listed in `api.ts`, one row each. */

import {
  checkNote,
  notesOfRun,
  readNote,
  readNotes,
  writeNote,
  type NotesPlace,
  type RunLog,
  type RunManifest,
} from '../../run-log/index.ts';
import { Refusal } from '../../io/index.ts';
import { describeEpisode, episodeName, workflowUrl, type EpisodeKey } from '../../evaluation/index.ts';
import type { EpisodeNote, ViewedEpisode } from '../data/api.ts';
import { compareInWords } from './compare.ts';
import { hasEpisode, missingEpisode, readKept, readViewedEpisode, recordFile } from './episode.ts';
import { findFileNotes, readStamp, type ViewedSource, type ViewedPlace } from './folder.ts';
import { json, type ServerAnswer, type RouteRequest, type ServerRoute } from './http.ts';
import type { LiveReader } from './live.ts';
import { episodeMarkdown } from './markdown.ts';
import { readKeptRequests, requestsVersion } from './requests.ts';
import type { RunReader } from './run.ts';
import type { RunLister } from './runs.ts';
import { searchLines } from './search.ts';
import type { TrendReader } from './trends.ts';

/** Parts that the routes of a server share. */
interface ViewParts {
  readonly place: ViewedPlace;
  readonly lister: RunLister;
  readonly reader: RunReader;
  readonly live: LiveReader;
  readonly trends: TrendReader;
}

const RUN = 'api/runs/:run';
const EPISODE = `${RUN}/episodes/:task/:trial`;

export function viewRoutes(parts: ViewParts): ServerRoute[] {
  return createRoutes(parts).map((route) => ({
    ...route,
    answer: async (asked) => {
      const ids = asked.run === '' ? asked.query.getAll('run') : [asked.run];
      for (const id of ids.length === 0 ? [null] : new Set(ids)) await parts.place.refresh?.(id);
      return route.answer(asked);
    },
  }));
}

function createRoutes({ place, lister, reader, live, trends }: ViewParts): ServerRoute[] {
  const get = (path: string, answer: ServerRoute['answer']): ServerRoute => ({ method: 'GET', path, answer });
  return [
    get('api/runs', async () => {
      const { list, version } = await lister.list();
      return json(version, () => Promise.resolve(list));
    }),
    get('api/schedules', async () => {
      const { list, version } = await lister.list();
      const read = await trends.read(list.runs);
      return json(`${version}\n${read.version}`, () => Promise.resolve(read.trends));
    }),
    get(RUN, (asked) => answerRun(reader, asked)),
    get(`${RUN}/live`, (asked) => answerLive(reader, live, asked)),
    get(`${RUN}/open/:task/:trial`, (asked) => answerOpen(reader, live, asked)),
    get(EPISODE, (asked) => answerEpisode(reader, asked)),
    get(`${EPISODE}/requests`, (asked) => answerRequests(reader, asked)),
    get(`${EPISODE}.json`, (asked) => answerRecord(reader, asked)),
    get(`${EPISODE}.md`, (asked) => answerMarkdown(reader, asked)),
    get(`${EPISODE}/note`, (asked) => answerNote(reader, asked)),
    { method: 'PUT', path: `${EPISODE}/note`, answer: (asked) => putNote(place, reader, asked) },
    get(`${RUN}/search`, async ({ run, query }) => {
      const viewed = reader.find(run);
      const source = await reader.readSource(viewed);
      return {
        type: 'application/x-ndjson',
        pieces: (signal) => searchLines(viewed, source, query.get('q') ?? '', signal),
      };
    }),
    get('api/compare', ({ query }) => {
      const viewed = query.getAll('run').map((id) => reader.find(id));
      const version = viewed.map((each) => `${each.id} ${reader.readVersion(each)}`).join('\n');
      return json(version, async () => compareInWords(await Promise.all(viewed.map((each) => reader.read(each)))));
    }),
  ];
}

async function answerRun(reader: RunReader, { run }: RouteRequest): Promise<ServerAnswer> {
  const viewed = reader.find(run);
  const place = notesPlace(viewed);
  const version = `${reader.readVersion(viewed)} ${readStamp([place.folder]).version}`;
  const subject = await reader.read(viewed);
  const sweepUrl = await findSweepUrl(reader, subject.manifest);
  return json(`${version} ${sweepUrl ?? ''}`, async () => {
    const problems: string[] = [];
    const notes = await readNotes(place, (sentence) => problems.push(sentence));
    const { overview, cursor } = subject;
    return {
      run: { ...overview, problems: [...overview.problems, ...problems] },
      cursor,
      sweepUrl,
      notes,
    };
  });
}

async function findSweepUrl(reader: RunReader, manifest: RunManifest | null): Promise<string | null> {
  const temporal = manifest?.temporal ?? null;
  const uiUrl = temporal === null ? null : await reader.findUi(manifest);
  return temporal === null || uiUrl === null ? null : workflowUrl(uiUrl, temporal.namespace, temporal.workflowId);
}

async function answerLive(reader: RunReader, live: LiveReader, { run, query }: RouteRequest): Promise<ServerAnswer> {
  const log = findLiveLog(reader, run);
  const after = query.get('after') ?? '0';
  if (!/^\d{1,15}$/.test(after)) throw new Refusal(400, 'after is the cursor of the answer before, a whole number');
  const text = JSON.stringify(await live.read(log, Number(after)));
  return { type: 'application/json', version: text, text: () => Promise.resolve(text) };
}

async function answerOpen(reader: RunReader, live: LiveReader, { run, episode }: RouteRequest): Promise<ServerAnswer> {
  const text = JSON.stringify(await live.conversation(findLiveLog(reader, run), episode));
  return { type: 'application/json', version: text, text: () => Promise.resolve(text) };
}

function answerRequests(reader: RunReader, { run, episode }: RouteRequest): ServerAnswer {
  const viewed = reader.find(run);
  const version = requestsVersion(viewed, episode);
  if (viewed.kind === 'file' || version === null) {
    const remedy = 'they are kept by `run --keep-requests`';
    throw new Refusal(404, `no requests of ${describeEpisode(episode)} were kept; ${remedy}`);
  }
  const { version: record } = readStamp([recordFile(viewed, episode)]);
  return json(`${version} ${record}`, () => readKeptRequests(viewed.log, episode));
}

function findLiveLog(reader: RunReader, run: string): RunLog {
  const viewed = reader.find(run);
  if (viewed.kind === 'run') return viewed.log;
  throw new Refusal(404, 'a results file does not grow, so there is nothing to follow');
}

function notesPlace(viewed: ViewedSource): NotesPlace {
  return viewed.kind === 'run' ? notesOfRun(viewed.log) : findFileNotes(viewed);
}

async function answerEpisode(reader: RunReader, { run, episode }: RouteRequest): Promise<ServerAnswer> {
  const viewed = reader.find(run);
  const source = await reader.readSource(viewed);
  const place = notesPlace(viewed);
  const uiUrl = source.kind === 'run' ? await reader.findUi(source.manifest) : null;
  const version = [episodeVersion(reader, viewed, episode), requestsVersion(viewed, episode), uiUrl];
  return json(version.join(' '), async (): Promise<ViewedEpisode> => {
    const { conversation } = await readViewedEpisode(source, episode, uiUrl);
    const { prompts, ...rest } = conversation;
    return {
      conversation: { ...rest, prompts: prompts.map((_, place) => place) },
      prompts,
      note: await readNote(place, episode),
      hasRequests: requestsVersion(viewed, episode) !== null,
    };
  });
}

/** Returns the episode's version, which changes with the record, its verdict and its note. */
function episodeVersion(reader: RunReader, viewed: ViewedSource, episode: EpisodeKey): string {
  const { version } = readStamp([recordFile(viewed, episode), notesPlace(viewed).folder]);
  return `${episodeName(episode)} ${reader.readSourceVersion(viewed)} ${version}`;
}

function answerRecord(reader: RunReader, { run, episode }: RouteRequest): ServerAnswer {
  const viewed = reader.find(run);
  const { version } = readStamp([recordFile(viewed, episode)]);
  return {
    type: 'application/json',
    version: `${episodeName(episode)} ${version}`,
    headers: attachment(viewed, `${episodeName(episode)}.json`),
    text: () => readKept(viewed, episode),
  };
}

async function answerMarkdown(reader: RunReader, { run, episode }: RouteRequest): Promise<ServerAnswer> {
  const viewed = reader.find(run);
  const source = await reader.readSource(viewed);
  const place = notesPlace(viewed);
  return {
    type: 'text/markdown',
    version: episodeVersion(reader, viewed, episode),
    headers: attachment(viewed, `${episodeName(episode)}.md`),
    text: async () => {
      const read = await readViewedEpisode(source, episode, null);
      return episodeMarkdown(viewed.id, read, await readNote(place, episode));
    },
  };
}

/**
 * Returns the header that names a download. Run ids have no characters that break a header, but names of other files
 * may have.
 */
function attachment({ id }: ViewedSource, name: string): Readonly<Record<string, string>> {
  const run = id.replace(/\.json$/, '').replaceAll(/[^\w.+=@-]+/g, '-');
  return { 'Content-Disposition': `attachment; filename="${run}.${name}"` };
}

async function answerNote(reader: RunReader, { run, episode }: RouteRequest): Promise<ServerAnswer> {
  const place = notesPlace(reader.find(run));
  const note = await readNote(place, episode);
  if (note === null) throw new Refusal(404, `there is no note on ${describeEpisode(episode)}`);
  return json(note.writtenAt, () => Promise.resolve(note));
}

/** Writes a note on an episode that has a record. */
async function putNote(
  place: ViewedPlace,
  reader: RunReader,
  { run, episode, body }: RouteRequest,
): Promise<ServerAnswer> {
  const viewed = reader.find(run);
  const written = parseNote(await body());
  if (!(await hasEpisode(await reader.readSource(viewed), episode))) throw missingEpisode(episode);
  const note: EpisodeNote = { ...episode, ...written, writtenAt: new Date().toISOString() };
  const { folder, logDir } = notesPlace(viewed);
  const write = (into: string): Promise<void> => writeNote({ folder: into, logDir }, note);
  await (place.change === undefined ? write(folder) : place.change(folder, write));
  return json(note.writtenAt, () => Promise.resolve(note));
}

function parseNote(body: unknown): ReturnType<typeof checkNote> {
  try {
    return checkNote(body);
  } catch (error) {
    throw new Refusal(400, (error as Error).message);
  }
}
