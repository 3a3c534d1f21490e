/** Explanation of the episode's result: faults, data, the simulated user, the judge, and the task's defects. */

import type {
  PayloadConversation,
  PayloadEpisode,
  PayloadRun,
  PayloadDifference,
  PayloadVerdict,
} from '../../data/payload.ts';
import { isSuccess } from '../../../results/metrics/index.ts';
import { Folded, JsonBlock } from '../parts.tsx';
import { FAULT_KINDS, type Fault as FoundFault, USER_FAULT_KINDS, type UserFault } from '../../../analysis/index.ts';
import { spoken } from '../words.ts';

interface FindingsProps {
  readonly run: PayloadRun;
  readonly episode: PayloadEpisode;
  readonly conversation: PayloadConversation;
  readonly toStep: (step: number) => void;
}

/** More than these would push the conversation off the screen. */
const SHOWN_DIFFERENCES = 4;

export function Findings({ run, episode, conversation, toStep }: FindingsProps) {
  const { isAnalysed, faults, differences, userFaults, verdict } = conversation;
  return (
    <section class="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">{isSuccess(episode.reward) ? 'Findings' : 'Why it failed'}</h2>
      <Defects run={run} taskId={episode.taskId} />
      {isAnalysed ? null : (
        <p class="muted">This episode was recorded without an analysis, and its pack is not at hand to make one.</p>
      )}
      {faults.map((fault, at) => (
        <Fault key={at} fault={fault} toStep={toStep} />
      ))}
      {verdict === null ? null : <Verdict verdict={verdict} />}
      {userFaults.map((finding, at) => (
        <Finding key={at} finding={finding} toStep={toStep} />
      ))}
      {differences.length === 0 ? null : differences.length <= SHOWN_DIFFERENCES ? (
        <Differences title="Data left otherwise" differences={differences} toStep={toStep} />
      ) : (
        <Folded summary={`Data left otherwise: ${String(differences.length)} fields`}>
          {() => <Differences title="By field" differences={differences} toStep={toStep} />}
        </Folded>
      )}
      {isAnalysed && faults.length + userFaults.length + differences.length === 0 ? (
        <p class="muted">Nothing was found fault with.</p>
      ) : null}
    </section>
  );
}

interface FaultProps {
  readonly fault: FoundFault;
  /** Shows the step where it arose, which has the values; absent in the step itself. */
  readonly toStep?: (step: number) => void;
}

export function Fault({ fault, toStep }: FaultProps) {
  const { kind, faultType, step, tool, argument, expected, given, sentence } = fault;
  // Where the tool is what was wrong, both sides name theirs.
  const place = kind === 'wrong_tool' ? [] : [tool, argument];
  const isElsewhere = toStep !== undefined && step !== null && step > 0;
  return (
    <div class="finding is-bad">
      <p class="finding-title">
        <span aria-hidden="true">✗</span> <strong>{FAULT_KINDS[kind]}</strong>
        {faultType === null ? null : <span class="tag">{spoken(faultType)}</span>}
        {isElsewhere ? (
          <button type="button" class="text-button" onClick={() => toStep(step)}>
            step {step}
          </button>
        ) : null}
      </p>
      <p>{sentence}</p>
      {isElsewhere || (expected === null && given === null) ? null : (
        <dl class="expected-given">
          <Side name="expected" value={expected} where={place} />
          <Side name="given" value={given} where={[]} />
        </dl>
      )}
    </div>
  );
}

interface SideProps {
  readonly name: 'expected' | 'given';
  readonly value: string | null;
  readonly where: readonly (string | null)[];
}

function Side({ name, value, where }: SideProps) {
  const place = where.filter((part) => part !== null).join(': ');
  return (
    <div class={`side-${name}`}>
      <dt>
        {name}
        {place === '' ? null : <span class="muted"> {place}</span>}
      </dt>
      <dd>{value === null ? <span class="muted">nothing</span> : <JsonBlock text={value} />}</dd>
    </div>
  );
}

interface FindingProps {
  readonly finding: UserFault;
  /** Shows the step whose answer it is; absent where that is on the screen already. */
  readonly toStep?: (step: number) => void;
}

export function Finding({ finding, toStep }: FindingProps) {
  const { kind, severity, step, quote, sentence } = finding;
  return (
    <div class={severity === 'suspect' ? 'finding is-warn' : 'finding'}>
      <p class="finding-title">
        <span aria-hidden="true">?</span> <strong>user {USER_FAULT_KINDS[kind]}</strong>
        <span class="tag">{severity}</span>
        {toStep !== undefined && step !== null && step > 0 ? (
          <button type="button" class="text-button" onClick={() => toStep(step)}>
            step {step}
          </button>
        ) : null}
      </p>
      <p>{sentence}</p>
      {quote === '' ? null : <blockquote>{quote}</blockquote>}
    </div>
  );
}

export interface DifferencesProps {
  readonly title: string;
  readonly differences: readonly PayloadDifference[];
  /** Shows the step where one arose; absent where that is on the screen already. */
  readonly toStep?: (step: number) => void;
}

export function Differences({ title, differences, toStep }: DifferencesProps) {
  return (
    <div class="differences">
      <h3>{title}</h3>
      <ul>
        {differences.map(({ field, step, agent, wanted }, at) => (
          <li key={at}>
            <p>
              <code>{field}</code>{' '}
              {toStep !== undefined && step !== null && step > 0 ? (
                <button type="button" class="text-button" onClick={() => toStep(step)}>
                  step {step}
                </button>
              ) : null}
            </p>
            <dl class="expected-given">
              <div class="side-expected">
                <dt>wanted</dt>
                <dd>{wanted === null ? <span class="muted">not there</span> : <JsonBlock text={wanted} />}</dd>
              </div>
              <div class="side-given">
                <dt>left by the agent</dt>
                <dd>{agent === null ? <span class="muted">not there</span> : <JsonBlock text={agent} />}</dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Defects({ run, taskId }: { readonly run: PayloadRun; readonly taskId: number }) {
  const defects = run.notes?.defects.filter((defect) => defect.taskId === taskId) ?? [];
  return (
    <>
      {defects.map(({ severity, sentence }, at) => (
        <div key={at} class="finding is-warn">
          <p class="finding-title">
            <span aria-hidden="true">⚠</span> <strong>known defect of the task</strong>
            <span class="tag">{severity}</span>
          </p>
          <p>{sentence}</p>
        </div>
      ))}
      {run.notes?.doNothing.includes(taskId) === true ? (
        <div class="finding is-warn">
          <p class="finding-title">
            <span aria-hidden="true">⚠</span> <strong>solved by doing nothing</strong>
          </p>
          <p>An agent that does and says nothing gets the reward of this task.</p>
        </div>
      ) : null}
    </>
  );
}

function Verdict({ verdict }: { readonly verdict: PayloadVerdict }) {
  const { author, description, quotes, faultType, faultDescription, faultQuotes } = verdict;
  return (
    <div class="finding">
      <p class="finding-title">
        <span aria-hidden="true">§</span> <strong>judge: {author}</strong>
        {faultType === null ? null : <span class="tag">{spoken(faultType)}</span>}
      </p>
      <p>{description}</p>
      {faultDescription === null ? null : <p>{faultDescription}</p>}
      {[...quotes, ...faultQuotes].map((quote, at) => (
        <blockquote key={at}>{quote}</blockquote>
      ))}
    </div>
  );
}
