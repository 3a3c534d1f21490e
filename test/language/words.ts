/** Words that are not used, with what to say instead. The patterns match lower-case words; identifiers are split. */

export interface AvoidedWord {
  readonly word: string;
  readonly pattern: RegExp;
  /** The advice of a failing test. */
  readonly use: string;
  /** Phrases that may have the word. */
  readonly except?: RegExp;
  /** Beginnings of paths where the word belongs to data, to what a model reads, or to a public name. */
  readonly allowedIn?: readonly string[];
}

/** Paths of what models read or say, and of patterns that search it; changing one changes weights, packs or replies. */
const TASK_TEXTS = ['src/benchmarks/', 'packages/task-generator/'];
const MODEL_TEXTS = [
  ...TASK_TEXTS,
  'src/agents/fastworkflow/catalogue/',
  'src/agents/fastworkflow/prompts/',
  'src/analysis/judge.ts',
  'src/analysis/user/',
  'src/pack-tools/import/notes.ts',
  'src/results/judge/failures.ts',
  'src/scripted-model/',
  'src/agents/users/supervised.ts',
];

export const WORDS: readonly AvoidedWord[] = [
  { word: 'purse', pattern: /\bpurses?\b/, use: 'say “quota exhausted”' },
  { word: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/, use: 'say “fix”' },
  { word: 'blow', pattern: /\bblows?\b/, use: 'say “fault injection” or “injected failure”' },
  { word: 'crew', pattern: /\bcrews?\b/, use: 'say “process host” or “worker host”' },
  { word: 'workshop', pattern: /\bworkshops?\b/, use: 'say “agent context”' },
  {
    word: 'dear',
    pattern: /\bdear(?:er|est)?\b/,
    use: 'say “expensive”',
    allowedIn: [...MODEL_TEXTS, 'src/results/compare/'],
  },
  { word: 'boast', pattern: /\bboasts?\b/, use: 'state the fact' },
  { word: 'how sure', pattern: /\bhow sure\b/, use: 'say “confidence interval”' },
  { word: 'night', pattern: /\bnights?\b/, use: 'say “scheduled run”', allowedIn: MODEL_TEXTS },
  {
    word: 'nightly',
    pattern: /\bnightly\b/,
    use: 'say “scheduled run” or “schedules”',
  },
  {
    word: 'take up',
    pattern: /\b(?:take|takes|taken|taking|took) (?:(?:it|them|a run|the run) )?up\b/,
    use: 'say “resume”',
  },
  {
    word: 'go on with',
    pattern: /\b(?:go|goes|going|went) on with\b/,
    use: 'say “continue” or “resume”',
    allowedIn: MODEL_TEXTS,
  },
  {
    word: 'superseded',
    pattern: /\bsuperseded?s?\b/,
    use: 'say “archived record” or “archive”; the activity, the folder and the field keep their names',
    allowedIn: [
      'src/results/',
      'src/run-log/paths.ts',
      'src/cli/run/',
      'src/orchestration/',
      'activities/',
      'workflows/',
    ],
  },
  {
    word: 'customer',
    pattern: /\bcustomers?\b/,
    use: 'say “user”, “simulated user” or “user simulator”',
    except: /\bcustomer service\b/g,
    allowedIn: MODEL_TEXTS,
  },
  { word: 'shop', pattern: /\bshops?\b/, use: 'say “pack” or “domain pack”', allowedIn: MODEL_TEXTS },
  { word: 'player', pattern: /\bplayers?\b/, use: 'say “agent” or “strategy”' },
  { word: 'story', pattern: /\bstor(?:y|ies)\b/, use: 'say “live transcript”' },
  {
    word: 'tell',
    pattern: /\b(?:tells?|told|telling)\b/,
    use: 'say “shows”, “reports” or “prints”',
    allowedIn: MODEL_TEXTS,
  },
  { word: 'kept steps', pattern: /\bkept steps?\b/, use: 'say “replayed prefix”' },
  {
    word: 'careless',
    pattern: /\bcareless\b/,
    use: 'say “misbehaving”; the scripted user keeps its public name',
    allowedIn: ['src/scripted-model/', 'src/cli/commands/scripted-model.ts'],
  },
  {
    word: 'detectable difference',
    pattern: /\bdetectable differences?\b/,
    use: 'say “minimum detectable effect (MDE)”',
    except: /\bminimum detectable differences?\b/g,
  },
  { word: 'can be shown', pattern: /\bcan be shown\b/, use: 'say “minimum detectable effect (MDE)”' },
  { word: 'room', pattern: /\brooms?\b/, use: 'say “module”, or “space”', allowedIn: MODEL_TEXTS },
  { word: 'house', pattern: /\bhouses?\b/, use: 'say “project” or “module”', allowedIn: MODEL_TEXTS },
  { word: 'door', pattern: /\bdoors?\b/, use: 'say “entry point” or “public API”', allowedIn: MODEL_TEXTS },
  { word: 'come back to', pattern: /\bc[ao]mes? back to\b/, use: 'say “resume”' },
  { word: 'stands', pattern: /\bstands\b/, use: 'say “is”', except: /\bstands for\b/g, allowedIn: MODEL_TEXTS },
];
