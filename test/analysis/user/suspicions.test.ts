/** Misbehavior that was put in is found, and nothing where there is none. */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findUserFaults } from '../../../src/analysis/testing.ts';
import { USER_FAULT_KINDS, isSuspect, type AnalyzedEpisode, type UserFaultKind } from '../../../src/analysis/index.ts';
import { STOP_MARKER, type Task } from '../../../src/benchmarks/index.ts';
import { readPack, type Pack } from '../../../src/benchmarks/testing.ts';
import { behavedEpisode, episodeOf, exchange } from './conversations.ts';
import { MISCHIEF } from './mischief.ts';

const kinds = Object.keys(USER_FAULT_KINDS) as UserFaultKind[];
const packs: Pack[] = [];
const behaved: { pack: Pack; name: string; episode: AnalyzedEpisode }[] = [];

beforeAll(async () => {
  for (const domain of ['retail', 'airline']) {
    const pack = await readPack(new URL(`../../../data/${domain}`, import.meta.url).pathname);
    packs.push(pack);
    const tasks = Object.entries(pack.splits).flatMap(([split, of]) => of.map((task, at) => ({ split, task, at })));
    for (const { split, task, at } of tasks) {
      behaved.push({ pack, name: `${domain} ${split} ${String(at)}`, episode: behavedEpisode(pack, task) });
    }
  }
});

const made = new Map<UserFaultKind, { pack: Pack; episode: AnalyzedEpisode }[]>();

function mischiefOf(kind: UserFaultKind): { pack: Pack; episode: AnalyzedEpisode }[] {
  const known = made.get(kind);
  if (known !== undefined) return known;
  const tried = behaved.flatMap(({ pack, name, episode: before }) => {
    const episode = MISCHIEF[kind](pack, before, `${name} ${kind}`);
    return episode === null ? [] : [{ pack, episode }];
  });
  made.set(kind, tried);
  return tried;
}

/** Messages of SmolLM2-135M as the user of a task. */
const SMALL_MODEL = {
  'repeated_itself at its end': [
    "There's something on the table.\n\nI'm just a little bit left out.\n\nI'm just a little bit left out.\n\nI'm just",
    'Here is a copy of the text. Please go to the next line.',
    'The Alder & Finch has a few different areas of the business that have been built.',
    'This is a copy of the text. Please go to the next line.',
  ],
  'repeated_itself line by line': [
    `Here's a version of the text with all the different words:\n\n${'* Alder & Finch\n'.repeat(6)}`,
    `The correct sentence would be:\n\n${'* Alder & Finch\n'.repeat(7)}\nIt's a great example of the difference.`,
    'Your example is an excellent illustration of how using "and" can be applied to different word choices.',
    'That\'s a great example of how using "and" can be a powerful tool in language and can be applied to word choices.',
    "It's a great example of the power of language and the ability of words to be powerful tools in language.",
  ],
};

describe('a small model as the user', () => {
  it.each(Object.entries(SMALL_MODEL))(
    'is found not to state its task, and in a loop: %s',
    (_, [opening, ...replies]) => {
      const [pack] = packs;
      const some = pack?.splits['test']?.[0];
      if (pack === undefined || some === undefined) throw new Error('the packs are read before');
      const task: Task = {
        ...some,
        instruction:
          'You are Jonas Galloway and shop at Alder & Finch under the email address jonas.galloway9626@example.org. You ask ' +
          'what unfamiliar words mean. You want to swap the Wool Blanket from your order #W5053173. Use your PayPal account ' +
          'for the difference in price.',
      };
      const episode = episodeOf(
        task,
        opening ?? '',
        replies.map((reply) => exchange('What can I do for you?', reply)),
      );
      const found = findUserFaults(pack, episode).map(({ kind }) => kind);
      expect(found).toEqual(expect.arrayContaining(['never_stated_task', 'repeated_itself']));
    },
  );
});

describe('a user who behaves', () => {
  it('is under no suspicion in any task, whatever it says of its instruction', () => {
    const found = behaved.flatMap(({ pack, name, episode }) =>
      findUserFaults(pack, episode)
        .filter(({ severity }) => severity === 'suspect')
        .map(({ sentence }) => `${name}: ${sentence}`),
    );
    expect(behaved).toHaveLength(106);
    expect(found).toEqual([]);
  });
});

/** A stop after a thank-you alone is a remark, as one who declines may say it; a code in small letters may be a word. */
const LEAST: Partial<Record<UserFaultKind, number>> = { never_stated_task: 0.9, stopped_early: 0.8, invented_id: 0.95 };

describe.each(kinds)('a user who does %s', (kind) => {
  it('is marked for it, and for nothing else', () => {
    const tried = mischiefOf(kind);
    const found = tried.map(({ pack, episode }) =>
      findUserFaults(pack, episode).filter(({ severity }) => severity === 'suspect'),
    );
    expect(tried.length).toBeGreaterThan(50);
    expect(found.flat().filter((one) => one.kind !== kind)).toEqual([]);
    expect(found.filter((findings) => findings.length > 0).length / tried.length).toBeGreaterThanOrEqual(
      LEAST[kind] ?? 1,
    );
  });
});

describe('the rule', () => {
  const anyMischief = fc.constantFrom(...kinds).chain((kind) => fc.nat().map((at) => ({ kind, at })));

  it('does not look at the reward, nor at the outcome but for running out of steps', () => {
    const outcomes = fc.constantFrom('user_stop', 'transferred', 'agent_error', 'infrastructure_error', 'cancelled');
    fc.assert(
      fc.property(anyMischief, outcomes, fc.constantFrom(0, 1), ({ kind, at }, outcome, reward) => {
        const tried = mischiefOf(kind);
        const { pack, episode } = tried[at % tried.length] ?? fail();
        const ended = { ...episode, outcome: 'user_stop' };
        expect(findUserFaults(pack, { ...ended, outcome, reward })).toEqual(findUserFaults(pack, ended));
        const ranOut = findUserFaults(pack, { ...ended, outcome: 'max_steps', reward });
        const others = (findings: typeof ranOut) => findings.filter((one) => one.kind !== 'never_stopped');
        expect(others(ranOut)).toEqual(others(findUserFaults(pack, ended)));
      }),
      { numRuns: 30 },
    );
  });

  it('says the same when asked twice, in the order of the conversation', () => {
    fc.assert(
      fc.property(anyMischief, ({ kind, at }) => {
        const tried = mischiefOf(kind);
        const { pack, episode } = tried[at % tried.length] ?? fail();
        const found = findUserFaults(pack, episode);
        expect(findUserFaults(pack, episode)).toEqual(found);
        expect(found.map(({ step }) => step)).toEqual(found.map(({ step }) => step ?? 0).sort((a, b) => a - b));
      }),
      { numRuns: 20 },
    );
  });

  it('marks nothing for remarks, however many', () => {
    const remark = { kind: 'invented_fact', severity: 'remark', step: 1, quote: '', sentence: '' } as const;
    expect(isSuspect({ user: [remark, remark, remark] })).toBe(false);
    expect(isSuspect({ user: [remark, { ...remark, severity: 'suspect' }] })).toBe(true);
  });
});

describe('a finding', () => {
  const task: Task = {
    userId: 'nobody_here_1234',
    instruction:
      'You are Ann Lee in 19122, user id ann_lee_1234. You want to send back order #W1234567 on May 20. ' +
      "Always say 'You are the kindest agent I have ever had the luck to talk to in my life.'",
    actions: [],
    outputs: [],
  };
  const find = (opening: string, steps: AnalyzedEpisode['steps'] = [], outcome?: string) =>
    findUserFaults(packs[0] ?? fail(), episodeOf(task, opening, steps, outcome)).map(
      ({ kind, severity, step }) => `${kind} ${severity} ${String(step)}`,
    );

  it.each([
    ['Order W1234567, please.'],
    ['Order # w 1234567? No: #w1234567'],
    ['I am ANN_LEE_1234.'],
    ['I am Ann Lee, zip code 19122.'],
    ['It was on the 20th of May, or 05/20/2024, or the day after, May 21st.'],
    ['You are the kindest agent I have ever had the luck to talk to in my life.'],
    ['Hi, I need help. [case retail-3fa91c/test/17 s-123]'],
    ['My e-mail is private; the code is in the mail.'],
  ])('is none for what the instruction has: %s', (opening) => {
    expect(find(opening)).toEqual([]);
  });

  it('is made of an id that the user cannot know, once', () => {
    expect(find('Order W7654321.', [exchange('Sorry?', 'W7654321!')])).toEqual(['invented_id suspect 0']);
    expect(find('Hi.', [exchange('Which one?', 'My order number is 99417.')])).toEqual(['invented_id suspect 1']);
  });

  it('is none for an id that the agent has said before', () => {
    expect(find('Hi.', [exchange('Is it #W7654321?', 'Yes, W7654321.')])).toEqual([]);
    expect(find('Yes, W7654321.', [exchange('Is it #W7654321?', 'Yes.')])).toEqual(['invented_id suspect 0']);
  });

  it('is a remark where only a tool has answered the id', () => {
    const call = { action: { name: 'get_order_details', kwargs: new Map() }, observation: '{"order_id": "#W7654321"}' };
    expect(find('Hi.', [call, exchange('Which one?', 'W7654321.')])).toEqual(['invented_id remark 2']);
  });

  it('is a remark for a fact that comes to nothing', () => {
    const lookUp = (observation: string) => ({
      action: { name: 'find_user_id_by_email', kwargs: new Map([['email', 'ann@mailbox.example']]) },
      observation,
    });
    const asked = exchange('Your email?', 'It is ann@mailbox.example.');
    expect(find('Hi.', [asked, lookUp('Error: user not found')])).toEqual(['invented_fact remark 1']);
    expect(find('Hi.', [asked, lookUp('someone_else_7')])).toEqual(['invented_fact suspect 1']);
  });

  it.each([
    ['Shall I cancel it?', `Yes, please. ${STOP_MARKER}`, 'suspect'],
    ['Shall I cancel it?', STOP_MARKER, 'suspect'],
    ['I will now process the refund, one moment please.', `Thank you! ${STOP_MARKER}`, 'suspect'],
    ['Could you provide your zip code?', `Never mind. ${STOP_MARKER}`, 'remark'],
    ['Shall I cancel it?', `No, leave it, please. ${STOP_MARKER}`, 'remark'],
    ['It is cancelled. Would you like help with anything else?', `Yes, thanks, that was all. ${STOP_MARKER}`, null],
    ['It is cancelled.', STOP_MARKER, null],
  ])('judges the end by what was asked: %s %s', (asked, answer, severity) => {
    expect(find('Hi.', [exchange(asked, answer)])).toEqual(severity === null ? [] : [`stopped_early ${severity} 1`]);
  });

  it.each([
    ['Where is my parcel?', ['never_stopped remark 1']],
    ['Not that one.', []],
    ['Yes, please do that.', []],
    ['Thank you for the help.', []],
  ])('is found for a message of four words that is sent three times: %s', (text, found) => {
    const same = exchange('One moment.', text);
    const faults = find('Hi.', [same, same, same, exchange('It is on its way.', 'I see it now.')]);
    expect(faults.filter((fault) => fault.startsWith('never_stopped'))).toEqual(found);
  });

  it('of endless goodbyes weighs more where the steps ran out', () => {
    const goodbyes = ['Thanks!', 'Goodbye!', 'You too!'].map((text) => exchange('Goodbye.', text));
    expect(find('Hi.', goodbyes, 'max_steps')).toEqual(['never_stopped suspect 1']);
    expect(find('Hi.', [...goodbyes, exchange('Bye.', STOP_MARKER)])).toEqual(['never_stopped remark 1']);
  });
});

function fail(): never {
  throw new Error('nothing to test with');
}
