/** Small run logs, and their pages. */

import { inflateSync } from 'node:zlib';

import type { EpisodeAnalysis } from '../../../src/analysis/index.ts';
import { htmlReport, type HtmlSubject } from '../../../src/viewer/index.ts';
import type {
  HtmlOptions,
  Payload,
  PayloadChunk,
  PayloadConversation,
  EmbeddedEpisode,
} from '../../../src/viewer/data/testing.ts';
import { reportOfRun } from '../../../src/results/report/index.ts';
import { openRun, buildEpisodeRecord, type RunLog } from '../../../src/run-log/index.ts';
import type { RecordContext } from '../../../src/run-log/testing.ts';
import type { RecordInput } from '../../../src/episode/index.ts';
import { CONFIG, CONTEXT, recordInput, scratchLog } from '../../results/fixtures.ts';

/** Analysis of an episode whose first step changed the wrong amount. */
export const ANALYSIS: EpisodeAnalysis = {
  faults: [
    {
      kind: 'wrong_argument',
      faultType: 'used_wrong_tool_argument',
      step: 1,
      tool: 'pay',
      argument: 'amount',
      expected: '131.0',
      given: '130.0',
      sentence: 'pay was called with another amount.',
    },
  ],
  differences: [{ table: 'orders', id: '#W1', path: ['paid', 0], step: 1, agent: '130.0', wanted: '131.0' }],
  user: [
    { kind: 'invented_id', severity: 'suspect', step: 2, quote: '#W9', sentence: 'It cannot know the order #W9.' },
  ],
};

export const FAILED: Partial<RecordInput> = { reward: 0 };

export async function logOf(
  episodes: readonly {
    taskId: number;
    trial: number;
    condition?: string;
    input?: Partial<RecordInput>;
    context?: Partial<RecordContext>;
  }[],
  runId = 'run-1',
): Promise<RunLog> {
  const log = scratchLog(runId);
  const names = [...new Set(episodes.flatMap(({ condition = [] }) => condition))];
  const conditions = names.length === 0 ? undefined : names;
  await openRun(
    log,
    {
      run: { runId, logDir: log.logDir },
      config: { ...CONFIG, conditions: conditions?.map((name) => ({ name })) },
      plan: { taskIds: [...new Set(episodes.map(({ taskId }) => taskId))], numTrials: 2, shuffle: false, conditions },
      maxConcurrency: 1,
      maxCostUsd: null,
      workflowId: runId,
    },
    {
      label: 'TC',
      versions: {},
      temporal: { address: '127.0.0.1:7233', namespace: 'default', workflowId: runId },
      notes: [],
    },
  );
  for (const { taskId, trial, condition, input, context } of episodes) {
    const given = recordInput({
      run: { runId, logDir: log.logDir },
      workflowId: `${runId}/task-${String(taskId)}/trial-${String(trial)}`,
      ...input,
      episode: condition === undefined ? { taskId, trial } : { taskId, trial, condition },
    });
    await log.writeEpisode(buildEpisodeRecord(given, { ...CONTEXT, ...context }));
  }
  return log;
}

export async function pageOf(logs: readonly RunLog[], options: HtmlOptions = {}): Promise<string> {
  const subjects: HtmlSubject[] = [];
  for (const log of logs) subjects.push({ kind: 'run', log, report: await reportOfRun(log) });
  return textOfPage(subjects, options);
}

export async function textOfPage(subjects: readonly HtmlSubject[], options: HtmlOptions = {}): Promise<string> {
  let page = '';
  for await (const piece of htmlReport(subjects, options)) page += piece;
  return page;
}

/** The page's data as a browser reads them: to the first end of an element `script`. */
export function payloadIn(page: string): Payload {
  return JSON.parse(elementOf(page, 'payload')) as Payload;
}

export function conversationIn(page: string, { chunk, place }: EmbeddedEpisode): PayloadConversation {
  return chunkIn(page, chunk).conversations[place] as PayloadConversation;
}

export function chunkIn(page: string, chunk: number): PayloadChunk {
  const packed = Buffer.from(elementOf(page, `chunk-${String(chunk)}`), 'base64');
  return JSON.parse(inflateSync(packed).toString('utf8')) as PayloadChunk;
}

function elementOf(page: string, id: string): string {
  const [, rest = ''] = page.split(`id="${id}">`);
  return rest.slice(0, rest.search(/<\/script/i));
}
