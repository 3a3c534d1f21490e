/** Notes on how the reference uses the texts of users and agents, for a checkout whose code is what they describe. */

/** sha256 of the code that the notes on simulated users describe. */
export const USER_CODE: Readonly<Record<string, string>> = {
  'tau_bench/envs/user.py': 'ab24eeed85e6261eb2f45420432d84a390cc39b82fc5910b8a4ccd3cee36f07e',
};

/** sha256 of the code that the notes on agents describe. */
export const AGENT_CODE: Readonly<Record<string, string>> = {
  'tau_bench/agents/chat_react_agent.py': 'c545fe77d51a24d0595e719d6bd234f1342a33477f507bc72a29545c04193cb9',
  'tau_bench/agents/few_shot_agent.py': '7e57348ad6a18a4de4d6ba75a6dfa1f6de4442f7f90b17127e26574ef348b612',
  'tau_bench/agents/tool_calling_agent.py': '2d4a02ccd14cb6bdbbeafde49d5d682690625875feb6c9506f903bf98b0792f8',
};

export const USER_NOTES = {
  note:
    'Texts observed from the reference by building each simulator with a scripted model. {instruction}, ' +
    '{transcript} and {response} stand for the inserted text.',
  otherRoles: 'the role with its first letter upper-cased and the rest lower-cased',
  rules: [
    'Every strategy sends [system prompt, user first_user_message] at reset and appends {role: user, ' +
      "content: agent text} at each step; the model's answer is appended to the history as its own message.",
    'Creating a simulator already does one reset with no instruction (react does two), with the requests ' +
      'that a reset makes, supervisor requests included; the answers are thrown away by the next reset. ' +
      'Only the cost of the latest completion is kept as total cost (it is assigned, not added).',
    'react: if the answer contains ###STOP### the observation is exactly ###STOP###; else if it contains ' +
      "'Thought:' the observation is what follows it, stripped (so it still contains the thought and the " +
      "'User Response:' label); else if it contains 'User Response:' what follows it, stripped; else " +
      "ValueError 'Invalid response format: {answer}'. Two 'Thought:' (or two 'User Response:' when no " +
      "'Thought:') raise ValueError 'too many values to unpack (expected 2)'. The unparsed answer is what " +
      'is kept in the history.',
    'verify: asks, then asks the supervisor with verify_prompt (a single user message); the verdict is ' +
      "positive when the lower-cased answer contains 'true'. Up to 3 attempts; the messages sent are the " +
      'same each time. A rejected answer is not kept in the history; when all attempts are rejected the ' +
      'last answer is the observation but is not kept in the history. The {response} inserted by this ' +
      "strategy is the text form of the client library's message object, not its content (for reflection it " +
      'is the content).',
    'reflection: asks; when verify is positive that answer is the observation. Otherwise, for each ' +
      "further attempt (1 with the default), asks with reflect_prompt, takes what follows 'Response:' " +
      '(exactly one occurrence, else ValueError), stripped, adds it to a copy of the messages as {role: ' +
      'user}, asks again, verifies; when positive the new answer is the observation, else the first answer. ' +
      'All model answers of the simulator are kept in the history, also the rejected ones; the reflection ' +
      'text is not.',
    "The roles are swapped on purpose in the simulators' history (role user = the service agent), but the " +
      "transcript labels are not swapped, so the service agent's lines are labelled Customer and the " +
      "simulated customer's lines Agent.",
    'An episode ends when the observation contains ###STOP### anywhere.',
    'human: reset reads a line after printing the instruction and a newline, step after printing the ' +
      'agent text and a newline; its cost is 0.',
  ],
} as const;

export const AGENT_NOTES = {
  note: 'Texts and facts observed from the reference agents.',
  rules: [
    'tool-calling and few-shot: messages start as [system, user: first observation]; each turn asks with ' +
      'the tools and temperature; the action is the first tool call (its arguments are parsed as JSON) when ' +
      "there is one, else respond with the message's content. After a tool call the message's tool_calls " +
      'are cut to the first one and a message {role: tool, tool_call_id, name, content: observation} ' +
      'follows; after a respond a {role: user, content: observation} follows.',
    "few-shot: draws num_few_shots displays without replacement at each solve with Python's " +
      "random.sample; it is an error to have none ('Few shot displays are empty') or fewer than asked ('Few " +
      "shot displays are less than num_few_shots requested: {have} < {want}'). The display text comes from " +
      'the messages_display field of each line of the few-shot file.',
    "act and react: no tools are sent; the action text is what follows the last 'Action:' of the answer, " +
      "stripped; it is parsed as JSON, and when that fails the whole action text becomes respond's content. " +
      "The parsed value must have name and arguments (an assertion fails otherwise). A tool's observation " +
      "is sent back as a user message with the prefix 'API output: '; the answer to respond is sent back " +
      'unchanged.',
    'The instruction texts show {"name": respond, ...} with respond unquoted in their last example: that ' +
      'is how the reference prints it.',
    'The loop ends when the environment says done or after max_num_steps actions. The reward is the last ' +
      "step's reward, so 0 when the episode was not done.",
    "info starts from reset's info for tool-calling and few-shot ({} for act and react), and each step's " +
      'info overrides it key by key.',
    'total_cost is reported by tool-calling and few-shot; act and react add it up but do not report it ' + '(null).',
  ],
} as const;
