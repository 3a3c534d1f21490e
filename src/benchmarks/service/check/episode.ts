/** An episode that a check plays against an environment service. */

import type {
  CallRequest,
  EnvironmentService,
  GradeRequest,
  ServiceCall,
  ServiceDomain,
  ServiceGrade,
  ServiceObservation,
  ServiceStart,
  ServiceTask,
} from '../port.ts';

export interface CheckedCall {
  readonly request: CallRequest;
  readonly answer: ServiceObservation;
}

type GradeMessage = GradeRequest['messages'][number];

export class CheckedServiceEpisode {
  readonly made: CheckedCall[] = [];
  /** Durations of the calls, in milliseconds. */
  readonly times: number[] = [];
  readonly #service: EnvironmentService;
  readonly #place: ServiceDomain & { readonly episode: string; readonly task: string };
  readonly #changing: ServiceCall[] = [];
  readonly #messages: GradeMessage[] = [];
  #life: string | undefined;

  constructor(service: EnvironmentService, place: ServiceDomain, task: string, episode: string) {
    this.#service = service;
    this.#place = { ...place, episode, task };
  }

  async start(): Promise<ServiceStart> {
    const start = await this.#service.start(this.#place);
    this.#life = start.life;
    return start;
  }

  async call(call: ServiceCall): Promise<ServiceObservation> {
    const number = this.made.length + 1;
    const idempotencyKey = `${this.#place.episode}/step-${number}`;
    const request = { ...this.#place, life: this.#life, calls: [...this.#changing], call, idempotencyKey };
    const startedAt = performance.now();
    const answer = await this.#service.call(request);
    this.times.push(performance.now() - startedAt);
    this.made.push({ request, answer });
    if (answer.changed) this.#changing.push(call);
    const { requestor, name, arguments: given } = call;
    const id = `call_${number}`;
    const tool = { role: 'tool', tool_call_id: id, name, content: answer.observation };
    this.#messages.push(
      { role: requestor, content: null, tool_calls: [{ id, type: 'function', function: { name, arguments: given } }] },
      requestor === 'user' ? { ...tool, requestor } : tool,
    );
    return answer;
  }

  /** @param said the agent's last message */
  async grade(said: string): Promise<ServiceGrade> {
    const isDone = this.made.at(-1)?.answer.done === true;
    const request = {
      ...this.#place,
      life: this.#life,
      calls: [...this.#changing],
      messages: [
        { role: 'user', content: 'Hello.' },
        ...this.#messages,
        ...(isDone
          ? []
          : [
              { role: 'assistant', content: said },
              { role: 'user', content: '###STOP###' },
            ]),
      ],
      endedBy: isDone ? 'transferred' : 'user_stop',
    };
    const grade = await this.#service.grade(request);
    const sentences = grade.parts.flatMap(({ kind, checks }) =>
      kind === 'sentences' ? checks.flatMap(({ wanted, isMet }) => (isMet === null ? (wanted ?? []) : [])) : [],
    );
    if (sentences.length === 0) return grade;
    const verdicts = sentences.map((assertion) => ({ assertion, met: true, reason: 'The check has no judge.' }));
    return await this.#service.grade({ ...request, verdicts });
  }

  /** Plays the ground truth up to the call that ends the episode. */
  async playGroundTruth({ actions = [] }: ServiceTask): Promise<void> {
    for (const action of actions) if ((await this.call(action)).done) return;
  }
}
