/** A conversation of a human user with the agent of one episode, line by line on standard input. */

import { setTimeout as delay } from 'node:timers/promises';
import { answer } from '../../../workflows/client.ts';
import { STOP_MARKER } from '../../benchmarks/index.ts';
import { formatCaseCode } from '../../scripted-model/case-code.ts';
import { findPackByRef, formatPackKey } from '../../benchmarks/packs/index.ts';
import { formatUsd } from '../../results/document/index.ts';
import {
  endOfEpisode,
  fetchConversation,
  requestUpdate,
  workflowStatus,
  type HumanRun,
  type TemporalConnection,
} from '../../temporal/client/index.ts';
import {
  costOfEpisode,
  episodeSeed,
  parseEpisodeName,
  startWorkerCommand,
  workflowIdOfEpisode,
} from '../../evaluation/index.ts';
import type { SpokenConversation, OpenQuestion, SpokenLine } from '../../episode/index.ts';
import type { CliContext } from '../context.ts';
import { ExitCode, UnreachableError } from '../../errors/index.ts';
import { onInterrupt } from '../interrupt.ts';
import { SCRIPTED } from '../../models/providers.ts';
import { escapeControls } from '../terminal/style.ts';
import { chatCommand } from '../run-log.ts';
import { createInterface } from 'node:readline';

/** @param name name of an open episode: `task-17.trial-0` */
export async function talk(
  temporal: TemporalConnection,
  run: HumanRun,
  name: string,
  context: CliContext,
): Promise<ExitCode> {
  for (const line of await introduction(run, name, context)) context.out(line);
  const lines = openLines(context);
  const undo = onInterrupt(lines.leave);
  try {
    return await new Talk(temporal, run, name, lines, context).run();
  } finally {
    undo();
    lines.close();
  }
}

async function introduction({ runId, config }: HumanRun, name: string, { home }: CliContext): Promise<string[]> {
  const key = parseEpisodeName(name);
  const pack = await findPackByRef(config.pack, { home });
  const task = key === null ? undefined : pack?.splits[config.split]?.[key.taskId];
  const instruction =
    task === undefined
      ? `(The pack ${config.pack.name} is not on this machine, so the task’s instruction cannot be shown.)`
      : inLines(task.instruction);
  const isScripted = config.agentModel?.provider === SCRIPTED && pack !== undefined && key !== null;
  return [
    `${name} of ${runId}: you are the user.`,
    '',
    instruction,
    '',
    `One line is one answer. A line with ${STOP_MARKER} ends the conversation, as it does for simulated users: say it when`,
    'your request is settled, or cannot be. Ctrl-C leaves, and the conversation waits.',
    ...(isScripted
      ? [
          'The agent is scripted, and knows its task by a code: begin your first line with',
          formatCaseCode({
            packKey: formatPackKey(pack),
            split: config.split,
            taskId: key.taskId,
            seed: episodeSeed(config.seed, key),
          }),
        ]
      : []),
    '',
  ];
}

/** First interval of queries for the agent's message, in ms; later intervals are longer. */
const FIRST_LOOK_MS = 200;
const LONGEST_LOOK_MS = 2_000;

type ChatTurn =
  { readonly kind: 'asked'; readonly question: OpenQuestion } | { readonly kind: 'ended' } | { readonly kind: 'left' };

class Talk {
  readonly #temporal: TemporalConnection;
  readonly #run: HumanRun;
  readonly #name: string;
  readonly #workflowId: string;
  readonly #lines: Lines;
  readonly #context: CliContext;
  /** Number of lines of the conversation on the screen. */
  #shown = 0;

  constructor(temporal: TemporalConnection, run: HumanRun, name: string, lines: Lines, context: CliContext) {
    this.#temporal = temporal;
    this.#run = run;
    this.#name = name;
    this.#workflowId = workflowIdOfEpisode(run.runId, name);
    this.#lines = lines;
    this.#context = context;
  }

  async run(): Promise<ExitCode> {
    for (;;) {
      const turn = await this.#turn();
      if (turn.kind === 'ended') return this.#showEnd();
      const text = turn.kind === 'left' ? null : await this.#lines.next();
      if (text === null || turn.kind === 'left') return this.#leave();
      await this.#say(turn.question, text);
    }
  }

  /** Waits for a question to the human user, or for the episode's end. */
  async #turn(): Promise<ChatTurn> {
    const { client } = this.#temporal;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LONGEST_LOOK_MS, pauseMs * 1.5)) {
      const conversation = await Promise.race([
        fetchConversation(client, this.#workflowId),
        this.#lines.left.then(() => 'left' as const),
      ]);
      if (conversation === 'left') return { kind: 'left' };
      if (conversation !== null) this.#show(conversation);
      const question = conversation?.question ?? null;
      if (question !== null) return { kind: 'asked', question };
      // A run's worker stops with the run. An ended episode then answers no more queries.
      if ((await workflowStatus(client, this.#workflowId)) !== 'running') return { kind: 'ended' };
      if (conversation === null) throw this.#silent('the conversation waits');
      await Promise.race([delay(pauseMs), this.#lines.left]);
    }
  }

  /** Shows new lines. Lines of the human user are left out, because the terminal already has them. */
  #show({ lines }: SpokenConversation): void {
    for (const line of lines.slice(this.#shown)) this.#context.out(formatSpoken(line));
    this.#shown = Math.max(this.#shown, lines.length);
  }

  async #say({ number }: OpenQuestion, text: string): Promise<void> {
    const { client } = this.#temporal;
    const sent = await requestUpdate(client, this.#workflowId, answer, [{ question: number, text }]);
    switch (sent.kind) {
      case 'done':
        if (this.#context.stdin.isTTY === true) this.#shown += 1;
        return;
      case 'refused':
        this.#context.log(`not sent: ${sent.reason}`);
        return;
      case 'over':
        return;
      case 'unanswered':
        throw this.#silent(
          sent.isWaiting
            ? 'your answer waits on the server, unless it is restarted before'
            : 'your answer was not delivered',
        );
    }
  }

  #silent(fate: string): UnreachableError {
    const { runId, queues } = this.#run;
    return new UnreachableError(
      `no worker answers for the run ${runId}; ${fate}. One is started with \`${startWorkerCommand(queues.main)}\`, ` +
        `and \`${chatCommand(this.#run, this.#name)}\` comes back.`,
    );
  }

  #leave(): ExitCode {
    // The prompt is on the terminal's last line.
    if (this.#context.stdin.isTTY === true) this.#context.out('');
    this.#context.log(`the conversation waits; come back with: ${chatCommand(this.#run, this.#name)}`);
    return this.#lines.isInterrupted() ? ExitCode.Interrupted : ExitCode.Done;
  }

  async #showEnd(): Promise<ExitCode> {
    const end = await endOfEpisode(this.#temporal.client, this.#workflowId);
    this.#context.out('');
    if (end.kind === 'failed') {
      this.#context.out(`The conversation has ended without a score: ${escapeControls(end.reason)}`);
      return ExitCode.Failed;
    }
    const { outcome, reward, steps, error } = end.summary;
    const why = error === null ? '' : `, ${escapeControls(error)}`;
    this.#context.out(`The conversation has ended (${outcome}${why}).`);
    this.#context.out(`reward ${reward}, ${steps} steps, cost ${formatUsd(costOfEpisode(end.summary))}`);
    return ExitCode.Done;
  }
}

function formatSpoken({ who, text }: SpokenLine): string {
  const label = who === 'agent' ? 'agent> ' : 'you> ';
  return `${label}${inLines(text ?? '')}`;
}

/** Escapes each line, because a model's output must not control the terminal. */
function inLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}

interface Lines {
  /** Returns the next line; null at the end of the input, and if the user leaves with Ctrl-C. */
  next(): Promise<string | null>;
  /** True after Ctrl-C. */
  isInterrupted(): boolean;
  /** Settles at the end of the input. */
  readonly left: Promise<void>;
  /** Ends the conversation on a request to end the process. */
  leave(this: void): void;
  close(): void;
}

/** Buffers lines that arrive before they are needed. */
function openLines({ stdin, stdout }: CliContext): Lines {
  const isTyped = stdin.isTTY === true;
  const reader = createInterface(isTyped ? { input: stdin, output: stdout, terminal: true } : { input: stdin });
  reader.setPrompt('you> ');
  const kept: string[] = [];
  let isClosed = false;
  let isInterrupted = false;
  let wake: () => void = () => undefined;
  let settle: () => void = () => undefined;
  const left = new Promise<void>((resolve) => (settle = resolve));
  reader.on('line', (line) => {
    kept.push(line);
    wake();
  });
  reader.on('close', () => {
    isClosed = true;
    wake();
  });
  const leave = () => {
    isInterrupted = true;
    reader.close();
    settle();
  };
  // In a terminal's raw mode Ctrl-C is a key.
  reader.on('SIGINT', leave);
  return {
    next: async () => {
      if (isTyped && kept.length === 0 && !isClosed) reader.prompt();
      while (kept.length === 0 && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
      return isInterrupted ? null : (kept.shift() ?? null);
    },
    isInterrupted: () => isInterrupted,
    left,
    leave,
    close: () => reader.close(),
  };
}
