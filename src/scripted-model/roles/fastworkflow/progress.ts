/**
 * How far an episode's agent is in its script, read from the trajectory that a prompt shows.
 *
 * Every thought of the scripted agent names its move, `(move 4)`, so the last one is enough however much of the
 * trajectory has been dropped. An agent that does not think is followed step by step.
 */

/** The next move at a position. */
export type Attempt =
  | 'first'
  /** The command was not understood: it is repeated to the letter. */
  | 'again'
  /** As again, but the customer is asked before. */
  | 'ask';

export interface Progress {
  /** Of the move that comes next, from 0. */
  readonly position: number;
  readonly attempt: Attempt;
}

/** One step of the agent, as the prompt shows it. */
export interface SeenCycle {
  readonly index: number;
  readonly thought: string;
  readonly tool: string;
  /** undefined while the tool is at work */
  readonly observation: string | undefined;
}

const FIELD = /\[\[ ## (?:(thought|tool_name|observation)_(\d+)|\w+) ## \]\]\n?/g;
/** `(move 4)`, `(move 4, again)`, `(before move 4)` */
const MOVE = /\((before )?move (\d+)(, again)?\)/;

/** Observations of FastWorkflow's agent when a command did not run: an error with a new plan, or a way out. */
const NOT_RUN =
  /PARAMETER EXTRACTION ERROR|Execution error in|Execute these next steps:|, so nothing ran\b|\bask_user\b/;
const TO_ASK = /\bask_user\b/;

/** A thought about a move, which tells its number. */
export function noteMove(text: string, { position, attempt }: Progress): string {
  const number = `move ${position + 1}`;
  const note = { first: number, again: `${number}, again`, ask: `before ${number}` }[attempt];
  return `${text} (${note}).`;
}

export function readCycles(text: string): SeenCycle[] {
  const cycles = new Map<number, { thought: string; tool: string; observation: string | undefined }>();
  const marks = [...text.matchAll(FIELD)];
  for (const [i, mark] of marks.entries()) {
    const [heading, field, number] = mark;
    if (field === undefined) continue;
    const index = Number(number);
    const cycle = cycles.get(index) ?? { thought: '', tool: '', observation: undefined };
    cycles.set(index, cycle);
    const value = text.slice(mark.index + heading.length, marks[i + 1]?.index).trim();
    if (field === 'thought') cycle.thought = value;
    else if (field === 'tool_name') cycle.tool = /\w+/.exec(value)?.[0] ?? '';
    else cycle.observation = value;
  }
  return Array.from(cycles, ([index, cycle]) => ({ index, ...cycle })).sort((a, b) => a.index - b.index);
}

/**
 * @param isRepeated whether the command of a move is given again when it was not understood; else it is given up
 * @param atWork a prompt about the command that is being understood: it is still the one that counts
 */
export function followProgress(
  cycles: readonly SeenCycle[],
  isRepeated: (position: number) => boolean,
  atWork: boolean,
): Progress {
  // Steps that were dropped were moves, as far as anybody can tell.
  let progress: Progress = { position: cycles[0]?.index ?? 0, attempt: 'first' };
  for (const { thought, tool, observation } of cycles) {
    const note = MOVE.exec(thought);
    if (note !== null) progress = readNote(note);
    if (atWork && observation === undefined) return progress;
    const { position, attempt } = progress;
    if (tool === 'ask_user') {
      progress = attempt === 'ask' ? { position, attempt: 'again' } : { position: position + 1, attempt: 'first' };
    } else if (tool === 'execute_workflow_query') {
      const failed = observation === undefined || NOT_RUN.test(observation);
      progress =
        failed && attempt === 'first' && isRepeated(position)
          ? { position, attempt: TO_ASK.test(observation ?? '') ? 'ask' : 'again' }
          : { position: position + 1, attempt: 'first' };
    }
  }
  return progress;
}

function readNote([, before, number, again]: RegExpExecArray): Progress {
  const attempt = before !== undefined ? 'ask' : again !== undefined ? 'again' : 'first';
  return { position: Number(number) - 1, attempt };
}
