/** Makes an environment service from a loaded benchmark. */

import {
  EnvironmentServiceError,
  type CallRequest,
  type EnvironmentService,
  type GradeRequest,
  type ServiceCall,
  type ServiceDescription,
  type ServiceGrade,
  type ServiceObservation,
  type ServiceStart,
  type ServiceState,
  type ServiceTask,
  type ServiceTasks,
  type StartRequest,
} from '../service/port.ts';
import { listWords } from '../packs/types.ts';
import { gradeEnd, toServiceCall } from './grade.ts';
import type { LoadedBenchmark } from './load.ts';
import { openMcpTools } from './mcp.ts';
import type { OwnTask } from './tasks.schema.ts';
import { FunctionTools, isMcpTools, withinLimit, type BenchmarkState, type ToolSet } from './tools.ts';

/** Service name of all benchmarks in folders; each is a domain of it. */
const OWN = 'own';

/** @param notice called with the name of the folder's code that is about to run */
export function openLoadedBenchmark(
  loaded: LoadedBenchmark,
  notice: (what: string) => void = () => undefined,
): EnvironmentService {
  return new OwnService(loaded, notice);
}

class OwnService implements EnvironmentService {
  readonly description: ServiceDescription;
  readonly #loaded: LoadedBenchmark;
  readonly #tasks: ReadonlyMap<string, OwnTask>;
  readonly #notice: (what: string) => void;
  #opening: Promise<ToolSet> | undefined;
  /** States after the ground truths, by task. */
  readonly #wanted = new Map<string, Promise<BenchmarkState | undefined>>();

  constructor(loaded: LoadedBenchmark, notice: (what: string) => void) {
    const { name, version, rules, tasks } = loaded;
    this.#loaded = loaded;
    this.#notice = notice;
    this.#tasks = new Map(tasks.map((task) => [task.id, task]));
    this.description = { name: OWN, version, replays: true, rules, domains: [name] };
  }

  tasks({ domain, split }: { readonly domain: string; readonly split: string | null }): Promise<ServiceTasks> {
    this.#requireDomain(domain);
    const splits: Record<string, string[]> = {};
    for (const task of this.#loaded.tasks) (splits[task.split] ??= []).push(task.id);
    if (split !== null && !Object.hasOwn(splits, split)) {
      throw this.#refused(`there is no split ${split}; there is ${listWords(Object.keys(splits))}`);
    }
    const tasks = this.#loaded.tasks.filter((task) => split === null || task.split === split);
    return Promise.resolve({
      digest: this.#loaded.digest,
      tasks: tasks.map((task) => this.#describeTask(task)),
      splits: split === null ? splits : { [split]: splits[split] ?? [] },
    });
  }

  async start({ domain, task: id }: StartRequest): Promise<ServiceStart> {
    this.#requireDomain(domain);
    const task = this.#findTask(id);
    const { policy, rules } = this.#loaded;
    const { forms, userForms } = await this.#tools();
    const scenario = this.#describeUser(task);
    return {
      policy,
      tools: forms,
      ...(userForms.length === 0 ? {} : { userTools: userForms }),
      scenario,
      ...(rules === 'solo' ? { firstMessage: scenario } : {}),
      state: toServiceState(await this.#stateAfter(`start ${id}`, [])),
    };
  }

  async call({ domain, episode, task, calls, call }: CallRequest): Promise<ServiceObservation> {
    this.#requireDomain(domain);
    this.#findTask(task);
    const { state, ...result } = await (await this.#tools()).call(episode, calls, call);
    return { ...result, state: toServiceState(state) };
  }

  async grade({ domain, episode, task: id, calls, messages, verdicts }: GradeRequest): Promise<ServiceGrade> {
    this.#requireDomain(domain);
    const task = this.#findTask(id);
    const state = await this.#stateAfter(episode, calls);
    const wanted = await this.#wantedState(task);
    const { grade } = this.#loaded.definition;
    this.#notice('function grade');
    const graded = await withinLimit('function grade', () =>
      gradeEnd(task, grade, { state, wanted, messages, verdicts }),
    );
    (await this.#tools()).close(episode);
    return graded;
  }

  /** Returns the tools, which the first request opens, because an MCP server may take seconds to start. */
  #tools(): Promise<ToolSet> {
    const { definition, initial, path } = this.#loaded;
    const { tools } = definition;
    this.#opening ??= isMcpTools(tools)
      ? openMcpTools(tools.mcp, path)
      : Promise.resolve(new FunctionTools(definition, initial, this.#notice));
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #stateAfter(episode: string, calls: readonly ServiceCall[]): Promise<BenchmarkState | undefined> {
    return await (await this.#tools()).stateAfter(episode, calls);
  }

  #wantedState({ id, calls }: OwnTask): Promise<BenchmarkState | undefined> {
    const known = this.#wanted.get(id);
    if (known !== undefined) return known;
    const episode = `ground truth of ${id}`;
    const wanted =
      calls === undefined ? Promise.resolve(undefined) : this.#stateAfter(episode, calls.map(toServiceCall));
    this.#wanted.set(id, wanted);
    wanted.then(
      async () => (await this.#tools()).close(episode),
      () => this.#wanted.delete(id),
    );
    return wanted;
  }

  #describeTask(task: OwnTask): ServiceTask {
    const { id, calls, outputs, sentences } = task;
    return { id, actions: calls?.map(toServiceCall), outputs, sentences, instruction: this.#describeUser(task) };
  }

  /** Writes the user's identity and wishes. */
  #describeUser({ user, instruction }: OwnTask): string {
    const { users = {} } = this.#loaded.definition;
    const who = user !== undefined && Object.hasOwn(users, user) ? users[user] : user;
    return who === undefined ? instruction : `${who.trim()}\n\n${instruction}`;
  }

  #findTask(id: string): OwnTask {
    const task = this.#tasks.get(id);
    if (task === undefined) throw this.#refused(`there is no task ${id}`);
    return task;
  }

  #requireDomain(domain: string): void {
    const { name } = this.#loaded;
    if (domain !== name) throw this.#refused(`the benchmark is ${name}, not ${domain}`);
  }

  #refused(problem: string): EnvironmentServiceError {
    return new EnvironmentServiceError('refused', `${this.#loaded.path}: ${problem}.`);
  }
}

function toServiceState(state: BenchmarkState | undefined): ServiceState {
  return { agent: state?.digest ?? null, user: null };
}
