/** Finds the role of a request, and plays it. */

import { LRUCache } from 'lru-cache';
import type { Pack } from '../benchmarks/packs/index.ts';
import { drawMisbehavior, playSupervisor, playUser, type MisbehaviorKind, type TrialCounter } from './roles/user.ts';
import { findCaseCode, formatCaseCode, formatTaskKey, type CaseCode } from './case-code.ts';
import { countRoleTurns, firstText, type Conversation } from './conversation.ts';
import { writeScript, type Flaw, type Judge, type Script } from './flaws.ts';
import { PHRASES, moveAt, toolShapes, type ToolShape } from './script.ts';
import { joinPrompt } from './previous-response.ts';
import { RequestProblem } from './problem.ts';
import type { ScriptedReply } from './reply.ts';
import { findActionForm } from './roles/action-text.ts';
import { findPlace, playActionText, playToolCalling, type AgentTurnPlace } from './roles/agent.ts';
import { asksAboutWords, playFieldPrompt, playAboutWords } from './roles/fastworkflow/play.ts';
import { readFieldPrompt } from './roles/fastworkflow/prompt.ts';
import type { Wording } from './roles/fastworkflow/wording.ts';
import { playJudge, playSentenceJudge } from './roles/judge.ts';
import {
  WEAKNESSES,
  followScript,
  toolsInText,
  withCommandNames,
  withOfferedNames,
  type Weakness,
} from './roles/under-condition.ts';
import { TaskIndex, type IndexedTask, type UserPrompt } from './task-index.ts';

/** Most scripts of episodes in memory; a dropped script is written again identically. */
const REMEMBERED_SCRIPTS = 2000;

interface EpisodeScript {
  readonly code: string;
  readonly moves: Script['moves'];
  readonly tools: readonly ToolShape[];
}

export class ScriptedResponder {
  readonly #index: TaskIndex;
  readonly #judge: Judge;
  readonly #scripts = new LRUCache<string, Script>({ max: REMEMBERED_SCRIPTS });
  /** Last trial of tasks without a seed; bounded by the number of tasks. */
  readonly #trials = new Map<string, number>();

  constructor(packs: readonly Pack[], judge: Judge) {
    this.#index = new TaskIndex(packs);
    this.#judge = judge;
  }

  /** @throws RequestProblem for a request that cannot be played */
  play(model: string, conversation: Conversation): ScriptedReply {
    const { rate, wording, misbehaving, weakness } = readModelName(model);
    const judged = playJudge(conversation, (code) => this.findFlaw(code, rate));
    if (judged !== undefined) return judged;
    const decided = playSentenceJudge(conversation, (code) => ({
      task: this.#item(code).task,
      flaw: this.findFlaw(code, rate),
    }));
    if (decided !== undefined) return decided;
    const userPrompt = this.#readUserPrompt(conversation.system);
    if (conversation.tools.length > 0 && userPrompt.kind === 'not-a-user') {
      return playToolCalling(conversation, this.#agentMove(conversation, rate, weakness));
    }
    const prompt = readFieldPrompt(conversation);
    if (prompt !== undefined) {
      if (asksAboutWords(prompt)) return playAboutWords(prompt);
      const { code, moves, tools } = this.#agentScript(
        findCaseCode(prompt.text) ?? this.#findSoloCode(prompt.text, conversation.seed),
        rate,
      );
      const script = weakness === 'by-heart' ? moves : withCommandNames(moves, tools, joinPrompt(conversation));
      return playFieldPrompt(prompt, { code, script, wording, tools, weakness });
    }
    const supervised = playSupervisor(conversation);
    if (supervised !== undefined) return supervised;
    const said = playUser(conversation, userPrompt, this.#index, this.#nextTrial, misbehaving);
    if (said !== undefined) return said;
    const form = conversation.form ?? findActionForm(joinPrompt(conversation));
    if (form !== undefined) return playActionText(this.#agentMove(conversation, rate, weakness), form);
    // A client tests if the server answers.
    return { role: 'other', episode: null, position: 0, content: PHRASES.greeting };
  }

  /**
   * Returns the mistake of an episode's agent; null if there is none. Tasks that share an instruction cannot be
   * distinguished, so later ones get the first one's mistakes.
   * @param rate see {@link writeScript}
   * @throws RequestProblem when no loaded pack has the task
   */
  findFlaw(code: CaseCode, rate: number): Flaw | null {
    const { packKey, split, taskId } = this.#index.playedAs(this.#item(code));
    return this.script({ packKey, split, taskId, seed: code.seed }, rate).flaw;
  }

  /**
   * Returns the fault of an episode's simulated user; null if there is none. @throws RequestProblem like
   * {@link findFlaw}
   */
  drawMisbehavior(code: CaseCode, share: number): MisbehaviorKind | null {
    const item = this.#index.playedAs(this.#item(code));
    return drawMisbehavior(item, { ...item, seed: code.seed }, share);
  }

  /** Returns the moves of an episode's agent. @throws RequestProblem when no loaded pack has the task */
  script(code: CaseCode, rate: number): Script {
    const key = `${formatCaseCode(code)} ${rate}`;
    const known = this.#scripts.get(key);
    if (known !== undefined) return known;
    const script = writeScript(this.#item(code), code.seed, rate, this.#judge);
    this.#scripts.set(key, script);
    return script;
  }

  #item(code: CaseCode): IndexedTask {
    const item = this.#index.find(code);
    if (item === undefined) {
      throw new RequestProblem(
        400,
        'unknown_case',
        `The conversation plays ${formatTaskKey(code)}, which is not among the tasks the scripted model has loaded ` +
          `(${this.#index.packKeys.join(', ')}); start it with that pack.`,
        'messages',
      );
    }
    return item;
  }

  #agentMove(conversation: Conversation, rate: number, weakness: Weakness | undefined) {
    const place: Partial<AgentTurnPlace> = findPlace(conversation) ?? this.#findSoloPlace(conversation) ?? {};
    const { code: episode, moves, tools } = this.#agentScript(place.code, rate);
    const { position = 0, turns } = place;
    const move = turns === undefined ? moveAt(moves, position) : followScript(turns, { moves, tools, weakness });
    if (weakness === 'by-heart') return { episode, position, move };
    const offered = conversation.tools.map(({ name, parameters }) => ({ name, properties: parameters['properties'] }));
    const known = offered.length > 0 ? offered : toolsInText(joinPrompt(conversation));
    return { episode, position, move: withOfferedNames(move, tools, known) };
  }

  /** Reads the user from a system prompt; the prompt of a task without a user is its agent's. */
  #readUserPrompt(system: string): UserPrompt {
    const prompt = this.#index.readUserPrompt(system);
    const isSolo = prompt.kind === 'task' && prompt.task.pack.ref.environment?.rules === 'solo';
    return isSolo ? { kind: 'not-a-user' } : prompt;
  }

  /** Finds the place of an agent without a user, whose conversation opens with its task's text. */
  #findSoloPlace(conversation: Conversation): AgentTurnPlace | undefined {
    const code = this.#findSoloCode(firstText(conversation, 'user') ?? '', conversation.seed);
    return code && { code, position: countRoleTurns(conversation, 'assistant'), turns: conversation.turns };
  }

  #findSoloCode(text: string, seed: number | null): CaseCode | undefined {
    const prompt = this.#index.readUserPrompt(text);
    if (prompt.kind !== 'task') return undefined;
    return seed === null ? { ...prompt.task, seed: 0 } : { ...this.#index.playedWith(prompt.task, seed), seed };
  }

  #agentScript(code: CaseCode | undefined, rate: number): EpisodeScript {
    if (code === undefined) {
      throw new RequestProblem(
        400,
        'no_case_code',
        `The scripted model plays an agent only in conversations that the scripted user has opened (${NO_CASE}); ` +
          'use it as the user model too, or another model for the agent.',
        'messages',
      );
    }
    const tools = toolShapes(this.#item(code).pack);
    return { code: formatCaseCode(code), moves: this.script(code, rate).moves, tools };
  }

  readonly #nextTrial: TrialCounter = (taskKey) => {
    const trial = this.#trials.get(taskKey) ?? 0;
    this.#trials.set(taskKey, trial + 1);
    return trial;
  };
}

/** Part of the refusal of a conversation without a scripted user's opening. */
export const NO_CASE = 'no [case …] was found';

export const MODELS = ['oracle', 'oracle:0.8', 'oracle+natural', 'oracle:0.8+natural', 'oracle+careless:0.2'] as const;

interface ScriptedVariant {
  /** Probability that an episode succeeds, in [0, 1]. */
  readonly rate: number;
  readonly wording: Wording;
  /** Share in [0, 1] of the episodes in which the user misbehaves. */
  readonly misbehaving: number;
  /** True if later requests must include the reasoning, as for reasoning models. */
  readonly thinks: boolean;
  /** Weakness of the agent; absent: none. */
  readonly weakness?: Weakness | undefined;
}

const PLAIN: ScriptedVariant = { rate: 1, wording: 'exact', misbehaving: 0, thinks: false };
const ORACLE =
  /^oracle(?::(?<rate>[^+]*))?(?<natural>\+natural)?(?<thinking>\+thinking)?(?:\+(?<weakness>no-retry|blind-repeats|by-heart))?(?:(?<misbehaving>\+careless)(?::(?<share>[^+]*))?)?$/;
/** Default share of misbehaving users. */
const MISBEHAVING_SHARE = 0.2;

/**
 * Parses a model's name: `oracle`, `oracle:0.8`, `oracle+natural`, `oracle:0.8+natural`, each with `+thinking` for
 * agents, with a weakness such as `+no-retry` for agents, and with `+careless` or `+careless:0.3` for users.
 *
 * Any other name is a perfect agent or user, so that programs with a list of known models can use the server. A
 * provider's prefix up to the last `/` is ignored.
 * @throws RequestProblem for an `oracle` with another suffix
 */
export function readModelName(model: string): ScriptedVariant {
  const name = model.slice(model.lastIndexOf('/') + 1);
  if (!/^oracle(?:$|[:+])/.test(name)) return PLAIN;
  const parts = ORACLE.exec(name)?.groups;
  const { rate, natural, thinking, weakness, misbehaving, share } = parts ?? {};
  if (parts !== undefined && isShare(rate) && isShare(share)) {
    return {
      rate: Number(rate ?? PLAIN.rate),
      wording: natural === undefined ? 'exact' : 'natural',
      misbehaving: misbehaving === undefined ? 0 : Number(share ?? MISBEHAVING_SHARE),
      thinks: thinking !== undefined,
      weakness: WEAKNESSES.find((each) => each === weakness),
    };
  }
  throw new RequestProblem(
    404,
    'model_not_found',
    `There is no scripted model ${model}; use oracle, or oracle:RATE with a success rate from 0 to 1, ` +
      'each with or without +natural and +thinking behind it, +no-retry, +blind-repeats or +by-heart for an agent with that ' +
      'weakness, and +careless or +careless:SHARE for a user who misbehaves.',
    'model',
  );
}

function isShare(text: string | undefined): boolean {
  return text === undefined || (/^(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) && Number(text) <= 1);
}
