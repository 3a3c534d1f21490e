/** Training phrases of every catalogue: frames around a command's phrases, and words that mean no command. */

/** A command's phrases. */
interface CommandPhrases {
  /** Imperatives, which a frame may introduce: `please …`, `they want to …`. */
  readonly do: readonly string[];
  /** Whole statements, questions and notes. */
  readonly say: readonly string[];
}

/** Phrases by command name, in the language of `templates.ts`. */
export type Phrases = Readonly<Record<string, CommandPhrases>>;

const WHO = '(the customer|the user|the client|they|the shopper|the buyer|the caller|I|we)';

/** Frames of an imperative; `{phrase}` is the imperative. */
export const FRAMES: readonly string[] = [
  '{phrase}',
  '{phrase}',
  '{phrase}',
  '{phrase}',
  '{phrase}',
  '{phrase}',
  'please {phrase}',
  '{phrase}, please',
  '(can|could|would) you [please] {phrase}?',
  '(can|could|may) (I|we) {phrase}?',
  `(I|we|you) (need|have|want) to {phrase}`,
  `(I|we) (would like|want|must|will|should) (to|now|) {phrase}`,
  `${WHO} (wants|want|would like|asked me|asks|wishes|needs) to {phrase}`,
  "(let me|let's|let us) {phrase}",
  '(go ahead and|now|next|first|then|ok,|next step:|step 2:|finally|kindly|just|try to|help me|time to) {phrase}',
  '{phrase} (now|first|for the customer|for the user|right away|so that I can continue|as requested|as agreed|if possible|for me)',
  `(the customer|the user|she|he|they) (has |)confirmed[ (yes)|], [please|so|now|] {phrase}`,
  '(in order to help|to help the customer|before anything else|to go on|as the next step|as asked), {phrase}',
];

/** Frames of a statement or a question. */
export const STATEMENT_FRAMES: readonly string[] = [
  '{phrase}',
  '{phrase}',
  '{phrase}',
  '{phrase}',
  '(the customer says:|the customer asks:|question:|request:|ok,|so,|hi,|well,|note:|user says) {phrase}',
  '{phrase} (please|thanks|Please help.|Can you check?|ok?)',
];

/** Words that no command is meant by: small talk, words about the work itself, other matters. */
export const NO_COMMAND: readonly string[] = [
  '{noise} {noise}',
  '{noise}',
  '(the|a|my|our) {noise} (is|was|and|in|of|has) (the|a|my|) {noise}',
  '(I|we|they|you) (like|saw|think of|remember|see|like to) (the|a|) {noise} {noise}',
  '(what|where|who|how|why) (is|are|was) (the|a|my|your|) {noise}[ {noise}][?]',
  '(do|make|open|close|take|move|let|show|find|give|get) (the|a|us|me|my|) {noise}[ please| now| {noise}]',
  '[the] (user|customer|client) (has|has not|did|did not|is|will) (replied|answered|replied yet|here|waiting|answer|left|online)[.|]',
  '(nothing more|everything is fine|no action|nothing else|all is done) [is] (required|needed|now|here)',
  '(hello|hi|hey|good evening|greetings|welcome)[ there| and welcome|][!|.|]',
  '(hello|hi), (how can I help you|how may I assist you|what can I do for you)[ today|][?|!]',
  '[ok|okay|great|well|alright] (thank you|thanks|many thanks|thank you very much|thanks a lot)[ for your help| for your patience| for waiting|][.|!|]',
  '(thanks|thank you|thank you very much|ok thanks|thanks a lot|please|yes please|ok)[.|!|]',
  '(bye|goodbye|see you|have a nice day|take care|farewell|good night)[.|!|]',
  '(okay|alright|sure|fine|great|perfect|understood|got it|I see|right|no|nope|maybe|done|agreed|of course|certainly)[.|!|]',
  '(please wait|wait a moment|one moment please|hold on|just a second|give me a minute)',
  '(I do not know|I am not sure|no idea|what do you mean|I do not understand|what happens next|what should I do)[?|.|]',
  '(tell|write|sing|make up) [me] a (joke|story|song|limerick|haiku|tale) [about (cats|winter|the sea)|]',
  '(what|how) is the weather [like] (today|tomorrow|in {city}|this week)[?]',
  '(what|how late) is (the time|the date|it) [now|today][?]',
  'who (is the president|wrote Hamlet|invented the telephone|won the game|painted the Mona Lisa)[?]',
  'what is the (capital|population|currency|highest mountain) of (France|Brazil|Kenya|Japan)[?]',
  '(set|start) (a timer for ten minutes|an alarm for seven)',
  '(turn|switch) (on|off) the (lights|heating|radio|tv)',
  'translate (hello|this sentence|thank you) (to|into) (French|Spanish|German)',
  '(play|pause|skip) (the song|some music|the video|my playlist)',
  '(cook|bake|prepare) (a cake|some pasta|dinner)',
  'recipe for (pancakes|soup|bread)',
  '(call|text|email|phone) (my mother|dad|a friend|the doctor)',
  '(reserve|book) (a table|a hotel room|a taxi|tickets for the concert)[ tonight| for two|]',
  '(thought|thinking|reasoning|observation|plan|answer|final answer|result|action)[:|]',
  '(the task|my work|the plan|everything|the job|this step) is (done|complete|finished|over)',
  '(I have|I) (finished|completed|done) (everything|the task|all steps|what was asked)',
  '(I am|we are) (sorry|happy to help|glad to hear that|here to help|afraid)[.|!|]',
  "(I'll|I will|let me) (think|consider this|see|think about it|be right back|continue|go on|proceed)",
  '(continue|proceed|go on|next|start|begin|finish|stop|repeat|retry|again|help)',
  '(print|console.log|import|return|function|var|class) (x|foo|main|numpy|result)',
  '(null|none|undefined|n/a|nothing|test|testing|error|unknown|foo bar|lorem ipsum dolor sit amet|blah blah)',
  '(what|how) (are|is) you[r name|]',
  'how are you[ doing| feeling|][?]',
  'are you (a robot|a person|an AI|there|real)[?]',
  '(I|they) (love|like|enjoy|hate) (football|coffee|summer|this|movies)',
  '(2|5|12|37|1000|99.5)',
  '(!!!|...|???|-|:D)',
  'do (something|anything|whatever|it|this|that)',
  '(the|a) (dog|house|car|river|teacher|garden|moon|city) (is|was|looks) (old|green|far away|nice|quiet|small)',
  'as (I said|mentioned|agreed|discussed) (before|above|earlier)',
  '(whatever comes to mind|never mind|forget it|it does not matter|no problem|you are welcome)',
];
