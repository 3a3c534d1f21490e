/** The agent's session of one episode: model calls and environment steps are activities, `respond` asks the user. */

import { setCurrentDetails } from '@temporalio/workflow';
import type {
  AgentSession,
  Completion,
  CompletionRequest,
  Message,
  StepSettings,
  StoryLine,
} from '../src/agents/port.ts';
import type { PyValue } from '../src/bench/python/value.ts';
import { RESPOND, STOP_MARKER, type Action, type StepResult } from '../src/bench/types.ts';
import { AgentError } from '../src/agents/port.ts';
import type { UserSimulator } from '../src/users/port.ts';
import { toActionWire, type ActionWire } from '../src/wire/action.ts';
import type { EpisodeInput, StepMetric } from '../src/wire/episode.ts';
import { addCosts } from '../src/wire/usage.ts';
import { environment } from './activities.ts';
import { conversationDetails, stepSummary } from './details.ts';
import type { ModelCall } from './model-calls.ts';

type Spent = Pick<StepMetric, 'calls' | 'promptTokens' | 'completionTokens' | 'costUsd'>;

const NOTHING_SPENT: Spent = { calls: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

function addSpent(spent: Spent, { usage, costUsd }: Completion): Spent {
  return {
    calls: spent.calls + 1,
    promptTokens: spent.promptTokens + usage.promptTokens,
    completionTokens: spent.completionTokens + usage.completionTokens,
    costUsd: addCosts(spent.costUsd, costUsd),
  };
}

export class EpisodeSession implements AgentSession {
  readonly trajectory: Message[] = [];
  readonly steps: StepMetric[] = [];
  /** How often the agent spoke to the user. */
  turns = 0;
  /** The source of the step that ended the episode. */
  endedBy: string | null = null;

  readonly env: string;
  readonly firstMessage: string;
  readonly counts = new Map<string, number>();
  readonly #input: EpisodeInput;
  readonly #complete: ModelCall;
  readonly #user: UserSimulator;
  readonly #writes: ActionWire[] = [];
  readonly #story: StoryLine[] = [];
  /** What model calls used since the last step. */
  #spent: Spent = NOTHING_SPENT;

  constructor(input: EpisodeInput, complete: ModelCall, user: UserSimulator, firstMessage: string) {
    this.#input = input;
    this.#complete = complete;
    this.#user = user;
    this.env = input.config.env;
    this.firstMessage = firstMessage;
  }

  stepsLeft(): number {
    return this.#input.config.maxSteps - this.steps.length;
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    const completion = await this.#complete(request);
    this.#spent = addSpent(this.#spent, completion);
    return completion;
  }

  count(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  tell(line: StoryLine): void {
    this.#story.push(line);
  }

  async step(action: Action, _settings?: StepSettings): Promise<StepResult> {
    const startedAt = Date.now();
    const spent = this.#spent;
    this.#spent = NOTHING_SPENT;
    const { changed, ...result } = action.name === RESPOND ? await this.#respond(action) : await this.#apply(action);
    this.steps.push({
      index: this.steps.length + 1,
      name: action.name,
      changed,
      durationMs: Date.now() - startedAt,
      ...spent,
    });
    if (result.done) this.endedBy = result.source;
    setCurrentDetails(conversationDetails(this.trajectory, action, result));
    return result;
  }

  async #respond(action: Action): Promise<StepResult & { changed: boolean }> {
    this.turns += 1;
    const content = action.kwargs.get('content');
    if (content === undefined) throw new AgentError('missing_content', "'content'");
    const observation = await this.#user.reply(spokenText(content));
    return { observation, source: 'user', done: observation.includes(STOP_MARKER), changed: false };
  }

  async #apply(action: Action): Promise<StepResult & { changed: boolean }> {
    const wire = toActionWire(action);
    const summary = stepSummary(this.steps.length + 1, action);
    const input = { pack: this.#input.config.pack, writes: this.#writes, action: wire };
    const output = await environment.step.executeWithOptions({ summary }, [input]);
    if (output.changed) this.#writes.push(wire);
    return output;
  }
}

/** What the user hears: models may put a number or null where a text belongs. */
function spokenText(content: PyValue): string | null {
  if (content === null || typeof content === 'string') return content;
  if (typeof content === 'bigint' || typeof content === 'boolean') return String(content);
  throw new AgentError('invalid_action', 'the content of respond is not a text');
}
