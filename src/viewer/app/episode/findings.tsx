/** Explains the episode's result: faults, data, the simulated user, the judge, and the task's defects. */

import type { ComponentChildren } from 'preact';
import type {
  PayloadConversation,
  PayloadDifference,
  PayloadEpisode,
  PayloadRun,
  PayloadVerdict,
} from '../../data/payload.ts';
import { isSuccess } from '../../../results/metrics/index.ts';
import { FAULT_KINDS, type Fault as FoundFault, USER_FAULT_KINDS, type UserFault } from '../../../analysis/index.ts';
import { Folded, JsonBlock } from '../parts.tsx';
import { spaceWords } from '../words.ts';

interface FindingsProps {
  readonly run: PayloadRun;
  readonly episode: PayloadEpisode;
  readonly conversation: PayloadConversation;
  readonly toStep: (step: number) => void;
}

/** Most differences shown at first. */
const SHOWN_DIFFERENCES = 4;

export function Findings({ run, episode, conversation, toStep }: FindingsProps) {
  const { isAnalysed, faults, differences, userFaults, verdict } = conversation;
  return (
    <section class="findings" aria-labelledby="findings-title">
      <h2 id="findings-title">{isSuccess(episode.reward) ? 'Findings' : 'Failure causes'}</h2>
      <Defects run={run} taskId={episode.taskId} />
      {isAnalysed ? null : (
        <p class="muted">This episode was recorded without an analysis, and its pack is not at hand to make one.</p>
      )}
      {faults.map((fault, at) => (
        <Fault key={at} fault={fault} toStep={toStep} />
      ))}
      {verdict === null ? null : <Verdict verdict={verdict} />}
      {userFaults.map((fault, at) => (
        <UserFinding key={at} fault={fault} toStep={toStep} />
      ))}
      {differences.length === 0 ? null : differences.length <= SHOWN_DIFFERENCES ? (
        <DataDifferenceList title="Data differences" differences={differences} toStep={toStep} />
      ) : (
        <Folded class="panel boxed" summary={`Data differences: ${differences.length} fields`}>
          {() => <DataDifferenceList title="By field" differences={differences} toStep={toStep} />}
        </Folded>
      )}
      {isAnalysed && faults.length + userFaults.length + differences.length === 0 ? (
        <p class="muted">No fault was found.</p>
      ) : null}
    </section>
  );
}

interface FindingProps {
  readonly tone: 'bad' | 'warn' | 'none';
  readonly sign: string;
  readonly title: string;
  readonly tag: string | null;
  readonly step?: ComponentChildren;
  readonly sentence: string;
  readonly quotes?: readonly string[];
  readonly children?: ComponentChildren;
}

function Finding({ tone, sign, title, tag, step, sentence, quotes = [], children }: FindingProps) {
  return (
    <div class={`callout finding is-${tone}`}>
      <p class="row finding-title">
        <span aria-hidden="true">{sign}</span> <strong>{title}</strong>
        {tag === null ? null : <span class="tag">{tag}</span>}
        {step}
      </p>
      <p>{sentence}</p>
      {quotes.map((quote, at) => (
        <blockquote key={at}>{quote}</blockquote>
      ))}
      {children}
    </div>
  );
}

interface StepLinkProps {
  readonly step: number | null;
  /** Shows the step; undefined if it is already on the screen. */
  readonly toStep: ((step: number) => void) | undefined;
}

function StepLink({ step, toStep }: StepLinkProps) {
  if (toStep === undefined || step === null || step === 0) return null;
  return (
    <button type="button" class="text-button" onClick={() => toStep(step)}>
      step {step}
    </button>
  );
}

interface FaultProps {
  readonly fault: FoundFault;
  /** Shows the fault's step; absent in the step itself. */
  readonly toStep?: (step: number) => void;
}

export function Fault({ fault, toStep }: FaultProps) {
  const { kind, faultType, step, tool, argument, expected, given, sentence } = fault;
  // For a wrong tool, both sides already contain the name of a tool.
  const place = kind === 'wrong_tool' ? [] : [tool, argument].filter((part) => part !== null);
  const isElsewhere = toStep !== undefined && step !== null && step > 0;
  return (
    <Finding
      tone="bad"
      sign="✗"
      title={FAULT_KINDS[kind]}
      tag={faultType === null ? null : spaceWords(faultType)}
      step={<StepLink step={step} toStep={toStep} />}
      sentence={sentence}
    >
      {isElsewhere || (expected === null && given === null) ? null : (
        <Sides
          good={{ name: 'expected', place: place.join(': '), text: expected }}
          bad={{ name: 'given', text: given }}
          lacking="nothing"
        />
      )}
    </Finding>
  );
}

interface Side {
  readonly name: string;
  readonly place?: string;
  /** The text; null: none. */
  readonly text: string | null;
}

interface SidesProps {
  readonly good: Side;
  readonly bad: Side;
  /** Words for a missing text. */
  readonly lacking: string;
}

function Sides({ good, bad, lacking }: SidesProps) {
  const side = (tone: string, { name, place = '', text }: Side) => (
    <div class={`is-${tone}`}>
      <dt>{place === '' ? name : `${name} ${place}`}</dt>
      <dd>{text === null ? <span class="muted">{lacking}</span> : <JsonBlock text={text} />}</dd>
    </div>
  );
  return (
    <dl class="columns expected-given" style={{ '--least': '160px' }}>
      {side('good', good)}
      {side('bad', bad)}
    </dl>
  );
}

interface UserFindingProps {
  readonly fault: UserFault;
  /** Shows the step that the user answered; absent if it is on the screen. */
  readonly toStep?: (step: number) => void;
}

export function UserFinding({ fault: { kind, severity, step, quote, sentence }, toStep }: UserFindingProps) {
  return (
    <Finding
      tone={severity === 'suspect' ? 'warn' : 'none'}
      sign="?"
      title={`user ${USER_FAULT_KINDS[kind]}`}
      tag={severity}
      step={<StepLink step={step} toStep={toStep} />}
      sentence={sentence}
      quotes={quote === '' ? [] : [quote]}
    />
  );
}

interface DifferencesProps {
  readonly title: string;
  readonly differences: readonly PayloadDifference[];
  /** Shows a fault's step; absent if it is on the screen. */
  readonly toStep?: (step: number) => void;
}

export function DataDifferenceList({ title, differences, toStep }: DifferencesProps) {
  return (
    <div class="differences finding">
      <h3>{title}</h3>
      <ul class="stack">
        {differences.map(({ field, step, agent, wanted }, at) => (
          <li key={at}>
            <p>
              <code>{field}</code> <StepLink step={step} toStep={toStep} />
            </p>
            <Sides
              good={{ name: 'wanted', text: wanted }}
              bad={{ name: 'left by the agent', text: agent }}
              lacking="not there"
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

export function Defects({ run: { notes }, taskId }: { readonly run: PayloadRun; readonly taskId: number }) {
  const defects = notes?.defects.filter((defect) => defect.taskId === taskId) ?? [];
  return (
    <>
      {defects.map(({ severity, sentence }, at) => (
        <Finding key={at} tone="warn" sign="⚠" title="known defect of the task" tag={severity} sentence={sentence} />
      ))}
      {notes?.doNothing.includes(taskId) === true ? (
        <Finding
          tone="warn"
          sign="⚠"
          title="solved by doing nothing"
          tag={null}
          sentence="An agent that does and says nothing gets the reward of this task."
        />
      ) : null}
    </>
  );
}

function Verdict({ verdict }: { readonly verdict: PayloadVerdict }) {
  const { author, description, quotes, faultType, faultDescription, faultQuotes } = verdict;
  return (
    <Finding
      tone="none"
      sign="§"
      title={`judge: ${author}`}
      tag={faultType === null ? null : spaceWords(faultType)}
      sentence={description}
      quotes={[...quotes, ...faultQuotes]}
    >
      {faultDescription === null ? null : <p>{faultDescription}</p>}
    </Finding>
  );
}
