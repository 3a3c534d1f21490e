/** The agents' texts, in the form of a pack's `agent-prompts.json`. */

import { dumpJson, type PyList, type PyValue } from '../../benchmark/python/index.ts';
import { sha256 } from '../../packs/index.ts';
import type { Checkout } from './checkout.ts';
import { fieldOf, joinOf } from './forms.ts';
import { AGENT_CODE, AGENT_NOTES } from './notes.ts';
import { assignmentsIn, methodOf, parameterDefault } from './python-source/functions.ts';
import type { PythonModule } from './python-source/definitions.ts';
import type { PythonModules } from './python-source/modules.ts';
import { childrenOf, refuse } from './python-source/source.ts';

const REACT_FILE = 'tau_bench/agents/chat_react_agent.py';
const TOOLS_MARK = "{tools_info as one line of JSON, Python's default separators and ASCII escapes}";

/** A class, and the file it is in. */
interface AgentClass {
  readonly module: PythonModule;
  readonly name: string;
}

/** @throws PackError with file and line for a text that cannot be read */
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
    chat_system_prompt_sha256: { react: sha256(prompts.react), act: sha256(prompts.act) },
    chat_system_prompt_length: { react: codePoints(prompts.react), act: codePoints(prompts.act) },
    tools_info_json_sha256: sha256(tools),
    tool_observation_prefix: observationPrefix(modules, react),
    tool_calling_system_prompt: toolCalling && systemPrompt(modules, toolCalling),
    ...(fewShot && fewShotForm(modules, fewShot)),
    max_num_steps: defaultOf(modules, toolCalling ?? react, 'solve', 'max_num_steps'),
    respond_action: respondAction(modules),
    ...(noted ? { rules: AGENT_NOTES.rules } : {}),
  };
}

function agentClass(modules: PythonModules, path: string, name: string): AgentClass | undefined {
  if (!modules.has(path)) return undefined;
  const module = modules.module(path);
  return module.classNamed(name) === undefined ? undefined : { module, name };
}

/** In capitals since September 2024. */
function instruction(modules: PythonModules, { module }: AgentClass, name: string): PyValue {
  return modules.value(module, module.assigned(name) === undefined ? name.toLowerCase() : name);
}

/** @returns the system prompt of act and react, made of what stands for its parts */
function chatPrompt(modules: PythonModules, agent: AgentClass, wiki: string, tools: string, text: PyValue): string {
  const creator = methodOf(agent.module, agent.name, '__init__');
  const value = creator === undefined ? undefined : assignmentsIn(agent.module, creator, 'self.prompt')[0];
  if (value === undefined) refuse(agent.module.source, creator ?? 0, `${agent.name} gives self.prompt no value`);
  const given = new Map<string, PyValue>([
    ['wiki', wiki],
    ['json.dumps(tools_info)', tools],
    ['json.dumps(tools)', tools],
    ['instruction', text],
  ]);
  const prompt = modules.evaluate(agent.module, value, { given });
  return typeof prompt === 'string' ? prompt : refuse(agent.module.source, value, 'this prompt is no text');
}

/** What stands before a tool's observation: `obs = "…" + obs`. */
function observationPrefix(modules: PythonModules, agent: AgentClass): PyValue | undefined {
  const loop = methodOf(agent.module, agent.name, 'solve') ?? methodOf(agent.module, agent.name, 'act');
  const value =
    loop &&
    assignmentsIn(agent.module, loop, 'obs').find(
      (node) => node.name === 'BinaryExpression' && node.firstChild?.name === 'String',
    );
  return value && modules.evaluate(agent.module, value, { given: new Map([['obs', '']]) });
}

/** The content of the first message, with marks for its parts. */
function systemPrompt(modules: PythonModules, agent: AgentClass): PyValue | undefined {
  const solve = methodOf(agent.module, agent.name, 'solve');
  const messages = solve && assignmentsIn(agent.module, solve, 'messages')[0];
  const first =
    messages && childrenOf(messages).find(({ name }) => name === 'DictionaryExpression' || name === 'CallExpression');
  const content = first && fieldOf(agent.module.source, first, 'content');
  const given = new Map([
    ['self.wiki', '{wiki}'],
    ['few_shots', '{few_shots}'],
  ]);
  return content && modules.evaluate(agent.module, content, { given });
}

function fewShotForm(modules: PythonModules, agent: AgentClass): object {
  const solve = methodOf(agent.module, agent.name, 'solve');
  const value = solve && assignmentsIn(agent.module, solve, 'few_shots')[0];
  const join = value && joinOf(value);
  const given = new Map([
    ['i+1', '{number starting at 1}'],
    ['display', '{messages_display}'],
  ]);
  return {
    few_shot_system_prompt: systemPrompt(modules, agent),
    few_shot_block: join && modules.evaluate(agent.module, join.line, { given }),
    few_shot_joiner: join && modules.evaluate(agent.module, join.joiner),
    num_few_shots: defaultOf(modules, agent, '__init__', 'num_few_shots'),
  };
}

function defaultOf(modules: PythonModules, agent: AgentClass, method: string, name: string): PyValue | undefined {
  const definition = methodOf(agent.module, agent.name, method);
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
