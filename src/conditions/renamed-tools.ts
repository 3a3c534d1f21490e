import { propertiesIn, rename, wordsIn } from './names.ts';
import { shuffle } from './draw.ts';
import type { Condition } from './port.ts';

/** Words of names, with synonyms; no synonym is a key. */
const SYNONYMS: Readonly<Record<string, string>> = {
  get: 'fetch retrieve obtain',
  find: 'locate lookup identify',
  list: 'enumerate show display',
  search: 'query browse explore',
  cancel: 'revoke void withdraw',
  modify: 'alter amend rework',
  update: 'revise adjust refresh',
  change: 'switch convert',
  exchange: 'swap substitute',
  book: 'reserve arrange',
  send: 'issue dispatch',
  calculate: 'compute evaluate',
  think: 'reflect ponder reason',
  transfer: 'escalate handover',
  create: 'establish generate',
  add: 'append attach',
  remove: 'drop detach',
  delete: 'erase purge',
  set: 'assign configure',
  check: 'inspect examine',
  enable: 'activate unlock',
  disable: 'deactivate lock',
  toggle: 'flip',
  suspend: 'pause freeze',
  resume: 'continue restart',
  user: 'member person',
  order: 'purchase acquisition',
  reservation: 'booking engagement',
  item: 'article piece',
  product: 'commodity merchandise',
  details: 'info particulars facts',
  payment: 'settlement billing',
  method: 'channel means',
  id: 'ref key handle',
  number: 'code digits',
  name: 'label caption',
  first_name: 'given_name forename',
  last_name: 'family_name surname',
  address: 'location residence',
  city: 'town municipality',
  country: 'nation land',
  state: 'region province',
  zip: 'postcode',
  email: 'mailbox mail',
  phone: 'telephone mobile',
  price: 'cost fee',
  amount: 'sum figure',
  date: 'day',
  origin: 'start departure',
  destination: 'target arrival',
  flight: 'connection leg',
  cabin: 'compartment class',
  passenger: 'traveler rider',
  baggage: 'luggage bag',
  insurance: 'coverage protection',
  certificate: 'voucher coupon',
  reason: 'cause motive grounds',
  summary: 'synopsis recap',
  thought: 'idea consideration',
  expression: 'formula arithmetic',
  status: 'phase stage',
  history: 'log trail',
  balance: 'funds remainder',
  option: 'choice feature',
  variant: 'version edition',
  available: 'obtainable purchasable',
  total: 'overall complete',
  new: 'replacement other',
  type: 'kind category',
  account: 'profile registration',
  plan: 'tariff package',
  bill: 'invoice statement',
  device: 'gadget apparatus',
  task: 'job duty',
  human: 'live staff',
  agent: 'representative operator',
};

/** Replaces every word of the list in names by an unused synonym, and gives names without such words another form. */
export const renamedTools: Condition = {
  name: 'renamed-tools',
  summary: 'tools, their parameters and the fields of results have other names',
  names: ({ tools, fields, values }, { draw }) => {
    const ofTools = tools.map((tool) => tool.function.name);
    const ofParameters = tools.flatMap((tool) => propertiesIn(tool.function.parameters));
    const taken = new Set(
      [...ofTools, ...ofParameters, ...fields, ...values].flatMap((name) => [name, ...wordsIn(name)]),
    );
    const kept = new Set(values.flatMap(wordsIn));
    const names: Record<string, string> = {};
    const give = (name: string, others: readonly string[]): void => {
      const other = others.find((each) => !taken.has(each) && !wordsIn(each).some((word) => kept.has(word)));
      if (other === undefined || Object.hasOwn(names, name)) return;
      taken.add(other);
      names[name] = other;
    };
    for (const [word, synonyms] of Object.entries(SYNONYMS)) {
      if (kept.has(word)) continue;
      give(
        word,
        shuffle(synonyms.split(' '), (index) => draw(`${word} ${index}`)),
      );
    }
    for (const name of ofTools) if (rename(name, names) === name) give(name, [`do_${name}`, `run_${name}`]);
    for (const name of ofParameters) if (rename(name, names) === name) give(name, [`${name}_value`, `given_${name}`]);
    return names;
  },
};
