/** `tauflow chat [RUN] [EPISODE]`: finds the episode that waits for the human user, or lists waiting ones. */

import type { Command } from 'commander';
import { type CliContext, printJson } from '../context.ts';
import { snakeKeys } from '../../run-log/index.ts';
import {
  fetchConversation,
  isListenedTo,
  listHumanRuns,
  openEpisodeNames,
  readHumanRun,
  seeSweep,
  type HumanRun,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import { startWorkerCommand, workflowIdOfEpisode } from '../../evaluation/index.ts';
import type { OpenQuestion } from '../../episode/index.ts';
import { ExitCode, UnreachableError, UsageError } from '../../errors/index.ts';
import { statusWord, withTemporal } from '../find-run.ts';
import { chatCommand } from '../run-log.ts';
import { cut, escapeControls } from '../terminal/style.ts';
import { talk } from './talk.ts';

interface ChatFlags {
  readonly json?: boolean;
}

export function defineChatCommand(command: Command, context: CliContext): void {
  command
    .argument('[run]', 'a run id; without one, every run of the server is looked at')
    .argument('[episode]', 'task-17.trial-0, or task-17; without one, that which waits')
    .option('--json', 'list those that wait as one JSON document')
    .action(async (runId: string | undefined, episode: string | undefined, flags: ChatFlags) => {
      context.end(await chat(runId, episode, flags, context));
    });
}

/** An open episode with a human user. */
interface Candidate {
  readonly run: HumanRun;
  readonly name: string;
  /** Question for the human user; null while the agent works. */
  readonly question: OpenQuestion | null;
  /** The agent's last message; null before the first one. */
  readonly said: string | null;
}

/** @param episode `task-17.trial-0` or `task-17` */
async function chat(
  runId: string | undefined,
  episode: string | undefined,
  { json }: ChatFlags,
  context: CliContext,
): Promise<ExitCode> {
  const isMeant = episode === undefined ? () => true : matchEpisode(episode);
  return withTemporal(context, 'find', async (temporal) => {
    const runs = runId === undefined ? await listHumanRuns(temporal.client) : [await findRun(temporal, runId)];
    const candidates: Candidate[] = [];
    for (const run of runs) candidates.push(...(await findHumanEpisodes(temporal, run, isMeant, runId, context)));
    const waiting = candidates.filter(({ question }) => question !== null);
    if (json === true) {
      printJson(snakeKeys(waiting.map(toDocument)), context);
      return ExitCode.Done;
    }
    const only = candidates.length === 1 ? candidates[0] : waiting.length === 1 ? waiting[0] : undefined;
    if (only !== undefined) return talk(temporal, only.run, only.name, context);
    if (candidates.length === 0 && episode !== undefined) {
      throw new UsageError(
        `the run ${runId ?? ''} has no open episode ${episode}; \`${chatCommand({ runId: runId ?? '' })}\` lists those that wait.`,
      );
    }
    for (const line of renderList(waiting, candidates.length)) context.out(line);
    return ExitCode.Done;
  });
}

/** Returns a test of names of episodes. @throws UsageError for a text that names no episode */
function matchEpisode(text: string): (name: string) => boolean {
  const match = /^(task-\d+)(\.trial-\d+(?:\.[a-z][a-z0-9-]*)?)?$/.exec(text);
  if (match === null) {
    throw new UsageError(
      `"${text}" is not an episode; one is written task-17.trial-0, or task-17 where one trial is open.`,
    );
  }
  return (name) => name === text || (match[2] === undefined && name.startsWith(`${text}.`));
}

async function findRun({ client, address }: TemporalConnection, runId: string): Promise<HumanRun> {
  const sweep = await seeSweep(client, runId);
  if (sweep === null) {
    throw new UsageError(
      `the Temporal server at ${address} knows no run ${runId}; \`npx tauflow list\` shows the runs.`,
    );
  }
  if (sweep.status !== 'running') {
    throw new UsageError(
      `the run ${runId} is not under way (${statusWord(sweep.status)}); \`npx tauflow resume ${runId}\` resumes it.`,
    );
  }
  const run = await readHumanRun(client, runId);
  if (run !== null) return run;
  throw new UsageError(`the users of the run ${runId} are simulated; people talk in runs with --user-strategy human.`);
}

/** @throws UnreachableError if no worker answers for a named run; for other runs, it warns */
async function findHumanEpisodes(
  { client }: TemporalConnection,
  run: HumanRun,
  isMeant: (name: string) => boolean,
  named: string | undefined,
  context: CliContext,
): Promise<Candidate[]> {
  const { runId, queues } = run;
  const found: Candidate[] = [];
  if (await isListenedTo(client, queues.main)) {
    let isSilent = false;
    for (const name of (await openEpisodeNames(client, run)).filter(isMeant)) {
      const conversation = await fetchConversation(client, workflowIdOfEpisode(runId, name));
      isSilent ||= conversation === null;
      if (conversation === null) continue;
      const said = conversation.lines.findLast(({ who }) => who === 'agent')?.text ?? null;
      found.push({ run, name, question: conversation.question, said });
    }
    if (!isSilent || found.length > 0) return found;
  }
  const sentence = noWorker(run);
  if (named !== undefined) throw new UnreachableError(`${sentence}.`);
  context.log(`warning: ${sentence}`);
  return [];
}

function noWorker({ runId, queues }: HumanRun): string {
  return (
    `no worker answers for the run ${runId}, and its conversations wait; ` +
    `one is started with \`${startWorkerCommand(queues.main)}\``
  );
}

function toDocument({ run, name, question, said }: Candidate): object {
  return { runId: run.runId, episode: name, question: question?.number, since: question?.askedAt, said };
}

/** Width of the agent's message in a list, in columns. */
const SAID_CHARS = 80;

function renderList(waiting: readonly Candidate[], open: number): string[] {
  if (waiting.length === 0) {
    return [
      open === 0 ? 'no episode waits for a person' : `no episode waits for a person now: ${open} are the agent’s turn`,
    ];
  }
  return [
    ...waiting.map(({ run, name, question, said }) => {
      const since = (question?.askedAt ?? '').slice(0, 16).replace('T', ' ');
      const what = said === null ? 'to be opened' : `agent: ${cut(escapeControls(said), SAID_CHARS)}`;
      return `${run.runId} ${name}  since ${since} UTC  ${what}`;
    }),
    '',
    `talk with: ${chatCommand(waiting[0]?.run ?? { runId: 'RUN' }, waiting[0]?.name ?? 'EPISODE')}`,
  ];
}
