/** Decides from a request alone which role it asks for, and lets that role answer. */

import { LRUCache } from 'lru-cache';
import type { Pack } from '../packs/index.ts';
import { carelessnessOf, type CarelessKind } from './careless.ts';
import { findCaseCode, formatCaseCode, taskKeyOf, type CaseCode } from './case-code.ts';
import { firstText, type Conversation } from './conversation.ts';
import { writeScript, type Flaw, type Judge, type Script } from './flaws.ts';
import { readModelName } from './model-name.ts';
import { PHRASES } from './phrases.ts';
import { RequestProblem, type ScriptedReply } from './reply.ts';
import { asksForActionText, playActionText, playToolCalling } from './roles/agent.ts';
import { asksAboutWords, playFieldPrompt, playAboutWords } from './roles/fastworkflow/play.ts';
import { readFieldPrompt } from './roles/fastworkflow/prompt.ts';
import { playJudge } from './roles/judge.ts';
import { playSupervisor } from './roles/supervisor.ts';
import { playUser, type TrialCounter } from './roles/user.ts';
import { TaskIndex, type IndexedTask } from './task-index.ts';
import { toolShapes, type ToolShape } from './tool-shapes.ts';

/** Scripts of episodes under way; a forgotten one is written again, the same. */
const REMEMBERED_SCRIPTS = 2000;

interface EpisodeScript {
  /** The case code as text. */
  readonly code: string;
  readonly moves: Script['moves'];
  readonly tools: readonly ToolShape[];
}

export class ScriptedPlayer {
  readonly #index: TaskIndex;
  readonly #judge: Judge;
  readonly #scripts = new LRUCache<string, Script>({ max: REMEMBERED_SCRIPTS });
  /** One number a task that was opened without a seed: no more than there are tasks. */
  readonly #trials = new Map<string, number>();

  constructor(packs: readonly Pack[], judge: Judge) {
    this.#index = new TaskIndex(packs);
    this.#judge = judge;
  }

  /** @throws RequestProblem for what cannot be played */
  play(model: string, conversation: Conversation): ScriptedReply {
    const { rate, wording, careless } = readModelName(model);
    const judged = playJudge(conversation, (code) => this.flawOf(code, rate));
    if (judged !== undefined) return judged;
    if (conversation.offersTools) {
      const { code, moves } = this.#agentScript(firstText(conversation, 'user') ?? '', rate);
      return playToolCalling(conversation, moves, code);
    }
    const prompt = readFieldPrompt(conversation);
    if (prompt !== undefined) {
      if (asksAboutWords(prompt)) return playAboutWords(prompt);
      const { code, moves, tools } = this.#agentScript(prompt.text, rate);
      return playFieldPrompt(prompt, { code, script: moves, wording, tools });
    }
    const supervised = playSupervisor(conversation);
    if (supervised !== undefined) return supervised;
    const userPrompt = this.#index.readUserPrompt(conversation.system);
    const said = playUser(conversation, userPrompt, this.#index, this.#nextTrial, careless);
    if (said !== undefined) return said;
    if (asksForActionText(conversation.system)) {
      const { code, moves } = this.#agentScript(firstText(conversation, 'user') ?? '', rate);
      return playActionText(conversation, moves, code);
    }
    // Somebody tries whether the server answers.
    return { role: 'other', episode: null, position: 0, content: PHRASES.greeting };
  }

  /**
   * The mistake that an episode's agent will make; null when it makes none. The customer's words decide which task is
   * played, so of tasks that share an instruction the later ones get the first one's mistakes.
   * @param rate see {@link writeScript}
   * @throws RequestProblem when no loaded pack has the task
   */
  flawOf(code: CaseCode, rate: number): Flaw | null {
    const { packKey, split, taskId } = this.#index.playedAs(this.#item(code));
    return this.script({ packKey, split, taskId, seed: code.seed }, rate).flaw;
  }

  /** The fault of an episode's simulated user; null if it behaves. @throws RequestProblem as {@link flawOf} does */
  carelessnessOf(code: CaseCode, share: number): CarelessKind | null {
    const item = this.#index.playedAs(this.#item(code));
    return carelessnessOf(item, { ...item, seed: code.seed }, share);
  }

  /** All that an episode's agent will do. @throws RequestProblem when no loaded pack has the task */
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
        `The conversation plays ${taskKeyOf(code)}, which is not among the tasks the scripted model has loaded ` +
          `(${this.#index.packKeys.join(', ')}); start it with that pack.`,
        'messages',
      );
    }
    return item;
  }

  #agentScript(text: string, rate: number): EpisodeScript {
    const code = findCaseCode(text);
    if (code === undefined) {
      throw new RequestProblem(
        400,
        'no_case_code',
        'The scripted model plays an agent only in conversations that the scripted user has opened ' +
          '(no [case …] was found); use it as the user model too.',
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
