/**
 * Reads the texts of simulated users and of agents in the form of a pack's `user-prompts.json` and
 * `agent-prompts.json`. Adds notes on how the reference uses the texts only if the checkout's code is the code that the
 * notes describe.
 */

import type { SyntaxNode } from '@lezer/common';
import { dumpJson, type PyList, type PyValue } from '../../benchmarks/python/index.ts';
import { listWords, hashData } from '../../benchmarks/packs/index.ts';
import type { Checkout } from './checkout.ts';
import { assignmentsIn, findMethod, nodesIn, parameterDefault, returnValue } from './python-source/functions.ts';
import type { PythonModule, PythonModules } from './python-source/modules.ts';
import { listChildren, refuseSource, getNodeText, type PythonSource } from './python-source/source.ts';

const USER_FILE = 'tau_bench/envs/user.py';
const ENV_FILE = 'tau_bench/envs/base.py';
const INSTRUCTION = '{instruction}';

/** Classes that have the prompts of user strategies. `llm` is the original class, which has had two names. */
const CLASSES = {
  llm: ['LLMUserSimulationEnv', 'NaiveUserSimulationEnv'],
  react: ['ReactUserSimulationEnv'],
  verify: ['VerifyUserSimulationEnv'],
  reflection: ['ReflectionUserSimulationEnv'],
} as const;

/** @throws PackError with file and line for an unreadable text */
export function readUserPrompts(modules: PythonModules, checkout: Checkout): object {
  const user = modules.module(USER_FILE);
  const noted = checkout.holds(USER_CODE);
  return {
    ...(noted ? { note: USER_NOTES.note } : {}),
    first_user_message: greeting(modules, user),
    stop_marker: stopMarker(modules),
    strategies: strategies(modules, user),
    verify_prompt: supervisorPrompt(modules, user, 'verify'),
    reflect_prompt: supervisorPrompt(modules, user, 'reflect'),
    ...transcriptForm(modules, user),
    role_labels: roleLabels(modules, user, noted),
    default_max_attempts: maxAttempts(modules, user),
    ...(noted ? { rules: USER_NOTES.rules } : {}),
  };
}

/** Returns the first literal message with the role `user`, the agent's greeting. */
function greeting(modules: PythonModules, user: PythonModule): PyValue {
  const top = user.source.tree.topNode;
  for (const message of [...nodesIn(top, 'DictionaryExpression'), ...nodesIn(top, 'CallExpression')]) {
    const role = findField(user.source, message, 'role');
    const content = findField(user.source, message, 'content');
    if (role?.name !== 'String' || content?.name !== 'String') continue;
    if (modules.evaluate(user, role) === 'user') return modules.evaluate(user, content);
  }
  return refuseSource(user.source, 0, 'no first message with the role user is written out here');
}

function strategies(modules: PythonModules, user: PythonModule): object {
  const found = Object.entries(CLASSES).flatMap(([strategy, names]) => {
    const name = names.find((candidate) => user.classNamed(candidate) !== undefined);
    return name === undefined ? [] : [[strategy, systemPrompts(modules, user, name)] as const];
  });
  if (found[0]?.[0] !== 'llm') refuseSource(user.source, 0, `there is no class ${listWords(CLASSES.llm, 'or')}`);
  return Object.fromEntries(found);
}

function systemPrompts(modules: PythonModules, user: PythonModule, className: string): object {
  const builder = findMethod(user, className, 'build_system_prompt') ?? user.functionNamed('build_system_prompt');
  if (builder !== undefined) {
    const build = (instruction: PyValue): PyValue =>
      returnValue(modules, user, builder, { given: new Map([['instruction', instruction]]) });
    return { system_prompt: build(INSTRUCTION), system_prompt_without_instruction: build(null) };
  }
  // Before September 2024 the prompt was a template for str.format, which writes None if there is no instruction.
  const template = modules.value(user, 'SYSTEM_PROMPT');
  if (typeof template !== 'string' || /[{}]/.test(template.split(INSTRUCTION).join(''))) {
    refuseSource(user.source, 0, 'SYSTEM_PROMPT is not a text with {instruction} in it');
  }
  return { system_prompt: template, system_prompt_without_instruction: template.split(INSTRUCTION).join('None') };
}

function supervisorPrompt(modules: PythonModules, user: PythonModule, name: string): PyValue | undefined {
  const definition = user.functionNamed(name);
  if (definition === undefined) return undefined;
  const prompt = assignmentsIn(user, definition, 'prompt')[0];
  if (prompt === undefined) refuseSource(user.source, definition, `${name} gives prompt no value`);
  const given = new Map([
    ['transcript', '{transcript}'],
    ['response', '{response}'],
  ]);
  return modules.evaluate(user, prompt, { given });
}

function transcriptForm(modules: PythonModules, user: PythonModule): object {
  const definition = user.functionNamed('verify');
  const value = definition === undefined ? undefined : assignmentsIn(user, definition, 'transcript')[0];
  const join = value === undefined ? undefined : parseJoin(value);
  if (join === undefined) return {};
  const given = new Map([
    ["map_role_label(message['role'])", '{label}'],
    ["message['content']", '{content}'],
  ]);
  return {
    transcript_line: modules.evaluate(user, join.line, { given }),
    transcript_joiner: modules.evaluate(user, join.joiner),
  };
}

function roleLabels(modules: PythonModules, user: PythonModule, noted: boolean): object | undefined {
  const definition = user.functionNamed('map_role_label');
  if (definition === undefined) return undefined;
  const label = (role: string): PyValue => returnValue(modules, user, definition, { given: new Map([['role', role]]) });
  return { user: label('user'), assistant: label('assistant'), ...(noted ? { '*': USER_NOTES.otherRoles } : {}) };
}

function maxAttempts(modules: PythonModules, user: PythonModule): object | undefined {
  const found = (['verify', 'reflection'] as const).flatMap((strategy) => {
    const creator = findMethod(user, CLASSES[strategy][0], '__init__');
    const value = creator === undefined ? undefined : parameterDefault(user, creator, 'max_attempts');
    return value === undefined ? [] : [[strategy, modules.evaluate(user, value)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Returns the text by which the environment recognizes the end of the conversation. */
function stopMarker(modules: PythonModules): PyValue | undefined {
  if (!modules.has(ENV_FILE)) return undefined;
  const base = modules.module(ENV_FILE);
  const test = nodesIn(base.source.tree.topNode, 'BinaryExpression').find(
    (node) => node.getChild('in') !== null && node.firstChild?.name === 'String',
  );
  const marker = test?.firstChild ?? undefined;
  return marker && modules.evaluate(base, marker);
}

const REACT_FILE = 'tau_bench/agents/chat_react_agent.py';
const TOOLS_MARK = "{tools_info as one line of JSON, Python's default separators and ASCII escapes}";

/** A class and its file. */
interface AgentClass {
  readonly module: PythonModule;
  readonly name: string;
}

/** @throws PackError with file and line for an unreadable text */
export function readAgentPrompts(
  modules: PythonModules,
  checkout: Checkout,
  domain: { readonly tools: PyList; readonly wiki: string },
): object {
  const react: AgentClass = { module: modules.module(REACT_FILE), name: 'ChatReActAgent' };
  const toolCalling = agentClass(modules, 'tau_bench/agents/tool_calling_agent.py', 'ToolCallingAgent');
  const fewShot = agentClass(modules, 'tau_bench/agents/few_shot_agent.py', 'FewShotToolCallingAgent');
  const act_instruction = instruction(modules, react, 'ACT_INSTRUCTION');
  const react_instruction = instruction(modules, react, 'REACT_INSTRUCTION');
  const tools = dumpJson(domain.tools);
  const chat = (text: PyValue): string => chatPrompt(modules, react, domain.wiki, tools, text);
  const prompts = { react: chat(react_instruction), act: chat(act_instruction) };
  const noted = checkout.holds(AGENT_CODE);
  return {
    ...(noted ? { note: AGENT_NOTES.note } : {}),
    act_instruction,
    react_instruction,
    chat_system_prompt: chatPrompt(modules, react, '{wiki}', TOOLS_MARK, '{instruction}'),
    chat_system_prompt_sha256: { react: hashData(prompts.react), act: hashData(prompts.act) },
    chat_system_prompt_length: { react: codePoints(prompts.react), act: codePoints(prompts.act) },
    tools_info_json_sha256: hashData(tools),
    tool_observation_prefix: observationPrefix(modules, react),
    tool_calling_system_prompt: toolCalling && systemPrompt(modules, toolCalling),
    ...(fewShot && fewShotForm(modules, fewShot)),
    max_num_steps: readDefault(modules, toolCalling ?? react, 'solve', 'max_num_steps'),
    respond_action: respondAction(modules),
    ...(noted ? { rules: AGENT_NOTES.rules } : {}),
  };
}

function agentClass(modules: PythonModules, path: string, name: string): AgentClass | undefined {
  if (!modules.has(path)) return undefined;
  const module = modules.module(path);
  return module.classNamed(name) === undefined ? undefined : { module, name };
}

/** Finds the instruction, whose name has been in capitals since September 2024. */
function instruction(modules: PythonModules, { module }: AgentClass, name: string): PyValue {
  return modules.value(module, module.assigned(name) === undefined ? name.toLowerCase() : name);
}

/** @returns the system prompt of act and react, built from the given parts */
function chatPrompt(modules: PythonModules, agent: AgentClass, wiki: string, tools: string, text: PyValue): string {
  const creator = findMethod(agent.module, agent.name, '__init__');
  const value = creator === undefined ? undefined : assignmentsIn(agent.module, creator, 'self.prompt')[0];
  if (value === undefined) refuseSource(agent.module.source, creator ?? 0, `${agent.name} gives self.prompt no value`);
  const given = new Map<string, PyValue>([
    ['wiki', wiki],
    ['json.dumps(tools_info)', tools],
    ['json.dumps(tools)', tools],
    ['instruction', text],
  ]);
  const prompt = modules.evaluate(agent.module, value, { given });
  return typeof prompt === 'string' ? prompt : refuseSource(agent.module.source, value, 'this prompt is not a text');
}

/** Returns the prefix of a tool's observation: `obs = "…" + obs`. */
function observationPrefix(modules: PythonModules, agent: AgentClass): PyValue | undefined {
  const loop = findMethod(agent.module, agent.name, 'solve') ?? findMethod(agent.module, agent.name, 'act');
  const value =
    loop &&
    assignmentsIn(agent.module, loop, 'obs').find(
      (node) => node.name === 'BinaryExpression' && node.firstChild?.name === 'String',
    );
  return value && modules.evaluate(agent.module, value, { given: new Map([['obs', '']]) });
}

/** Returns the content of the first message, with placeholders for its parts. */
function systemPrompt(modules: PythonModules, agent: AgentClass): PyValue | undefined {
  const solve = findMethod(agent.module, agent.name, 'solve');
  const messages = solve && assignmentsIn(agent.module, solve, 'messages')[0];
  const first =
    messages && listChildren(messages).find(({ name }) => name === 'DictionaryExpression' || name === 'CallExpression');
  const content = first && findField(agent.module.source, first, 'content');
  const given = new Map([
    ['self.wiki', '{wiki}'],
    ['few_shots', '{few_shots}'],
  ]);
  return content && modules.evaluate(agent.module, content, { given });
}

function fewShotForm(modules: PythonModules, agent: AgentClass): object {
  const solve = findMethod(agent.module, agent.name, 'solve');
  const value = solve && assignmentsIn(agent.module, solve, 'few_shots')[0];
  const join = value && parseJoin(value);
  const given = new Map([
    ['i+1', '{number starting at 1}'],
    ['display', '{messages_display}'],
  ]);
  return {
    few_shot_system_prompt: systemPrompt(modules, agent),
    few_shot_block: join && modules.evaluate(agent.module, join.line, { given }),
    few_shot_joiner: join && modules.evaluate(agent.module, join.joiner),
    num_few_shots: readDefault(modules, agent, '__init__', 'num_few_shots'),
  };
}

function readDefault(modules: PythonModules, agent: AgentClass, method: string, name: string): PyValue | undefined {
  const definition = findMethod(agent.module, agent.name, method);
  const value = definition && parameterDefault(agent.module, definition, name);
  return value && modules.evaluate(agent.module, value);
}

function respondAction(modules: PythonModules): object | undefined {
  const path = 'tau_bench/types.py';
  if (!modules.has(path)) return undefined;
  const types = modules.module(path);
  return {
    name: modules.value(types, 'RESPOND_ACTION_NAME'),
    field: modules.value(types, 'RESPOND_ACTION_FIELD_NAME'),
  };
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

/** sha256 of the code that the notes on simulated users describe. */
const USER_CODE: Readonly<Record<string, string>> = {
  'tau_bench/envs/user.py': 'ab24eeed85e6261eb2f45420432d84a390cc39b82fc5910b8a4ccd3cee36f07e',
};

/** sha256 of the code that the notes on agents describe. */
const AGENT_CODE: Readonly<Record<string, string>> = {
  'tau_bench/agents/chat_react_agent.py': 'c545fe77d51a24d0595e719d6bd234f1342a33477f507bc72a29545c04193cb9',
  'tau_bench/agents/few_shot_agent.py': '7e57348ad6a18a4de4d6ba75a6dfa1f6de4442f7f90b17127e26574ef348b612',
  'tau_bench/agents/tool_calling_agent.py': '2d4a02ccd14cb6bdbbeafde49d5d682690625875feb6c9506f903bf98b0792f8',
};

const USER_NOTES = {
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

const AGENT_NOTES = {
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

/**
 * Returns the parts of `"<joiner>".join([f"<line>" for … in …])`.
 * @returns undefined if the expression has another form
 */
function parseJoin(value: SyntaxNode): { joiner: SyntaxNode; line: SyntaxNode } | undefined {
  const joiner = value.getChild('MemberExpression')?.firstChild;
  const line = value.getChild('ArgList')?.getChild('ArrayComprehensionExpression')?.getChild('FormatString');
  if (joiner?.name !== 'String' || line === null || line === undefined) return undefined;
  return { joiner, line };
}

/** Returns the value of a dict's key, or of a call's named argument. */
function findField(source: PythonSource, node: SyntaxNode, key: string): SyntaxNode | undefined {
  const parts = listChildren(node.name === 'CallExpression' ? (node.getChild('ArgList') ?? node) : node);
  const at = parts.findIndex((part) => [key, `"${key}"`, `'${key}'`].includes(getNodeText(source, part)));
  return at < 0 ? undefined : parts[at + 2];
}
