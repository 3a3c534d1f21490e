/** The simulated users' texts, in the form of a pack's `user-prompts.json`. */

import type { PyValue } from '../../benchmark/python/index.ts';
import { listWords } from '../../packs/index.ts';
import type { Checkout } from './checkout.ts';
import { fieldOf, joinOf } from './forms.ts';
import { USER_CODE, USER_NOTES } from './notes.ts';
import { assignmentsIn, methodOf, nodesIn, parameterDefault, returnValue } from './python-source/functions.ts';
import type { PythonModule } from './python-source/definitions.ts';
import type { PythonModules } from './python-source/modules.ts';
import { refuse } from './python-source/source.ts';

const USER_FILE = 'tau_bench/envs/user.py';
const ENV_FILE = 'tau_bench/envs/base.py';
const INSTRUCTION = '{instruction}';

/** User strategy → the class that has its prompt. `llm` is the one that there was first, under two names. */
const CLASSES = {
  llm: ['LLMUserSimulationEnv', 'NaiveUserSimulationEnv'],
  react: ['ReactUserSimulationEnv'],
  verify: ['VerifyUserSimulationEnv'],
  reflection: ['ReflectionUserSimulationEnv'],
} as const;

/** @throws PackError with file and line for a text that cannot be read */
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

/** The first message that is written out with the role `user`: what the agent opens with. */
function greeting(modules: PythonModules, user: PythonModule): PyValue {
  const top = user.source.tree.topNode;
  for (const message of [...nodesIn(top, 'DictionaryExpression'), ...nodesIn(top, 'CallExpression')]) {
    const role = fieldOf(user.source, message, 'role');
    const content = fieldOf(user.source, message, 'content');
    if (role?.name !== 'String' || content?.name !== 'String') continue;
    if (modules.evaluate(user, role) === 'user') return modules.evaluate(user, content);
  }
  return refuse(user.source, 0, 'no first message with the role user is written out here');
}

function strategies(modules: PythonModules, user: PythonModule): object {
  const found = Object.entries(CLASSES).flatMap(([strategy, names]) => {
    const name = names.find((candidate) => user.classNamed(candidate) !== undefined);
    return name === undefined ? [] : [[strategy, systemPrompts(modules, user, name)] as const];
  });
  if (found[0]?.[0] !== 'llm') refuse(user.source, 0, `there is no class ${listWords(CLASSES.llm, 'or')}`);
  return Object.fromEntries(found);
}

function systemPrompts(modules: PythonModules, user: PythonModule, className: string): object {
  const builder = methodOf(user, className, 'build_system_prompt') ?? user.functionNamed('build_system_prompt');
  if (builder !== undefined) {
    const build = (instruction: PyValue): PyValue =>
      returnValue(modules, user, builder, { given: new Map([['instruction', instruction]]) });
    return { system_prompt: build(INSTRUCTION), system_prompt_without_instruction: build(null) };
  }
  // Before September 2024 the prompt was a template for str.format, which writes None where there is no instruction.
  const template = modules.value(user, 'SYSTEM_PROMPT');
  if (typeof template !== 'string' || /[{}]/.test(template.split(INSTRUCTION).join(''))) {
    refuse(user.source, 0, 'SYSTEM_PROMPT is no text with {instruction} in it');
  }
  return { system_prompt: template, system_prompt_without_instruction: template.split(INSTRUCTION).join('None') };
}

function supervisorPrompt(modules: PythonModules, user: PythonModule, name: string): PyValue | undefined {
  const definition = user.functionNamed(name);
  if (definition === undefined) return undefined;
  const prompt = assignmentsIn(user, definition, 'prompt')[0];
  if (prompt === undefined) refuse(user.source, definition, `${name} gives prompt no value`);
  const given = new Map([
    ['transcript', '{transcript}'],
    ['response', '{response}'],
  ]);
  return modules.evaluate(user, prompt, { given });
}

function transcriptForm(modules: PythonModules, user: PythonModule): object {
  const definition = user.functionNamed('verify');
  const value = definition === undefined ? undefined : assignmentsIn(user, definition, 'transcript')[0];
  const join = value === undefined ? undefined : joinOf(value);
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
    const creator = methodOf(user, CLASSES[strategy][0], '__init__');
    const value = creator === undefined ? undefined : parameterDefault(user, creator, 'max_attempts');
    return value === undefined ? [] : [[strategy, modules.evaluate(user, value)] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** What the environment looks for in an observation to tell that the conversation is over. */
function stopMarker(modules: PythonModules): PyValue | undefined {
  if (!modules.has(ENV_FILE)) return undefined;
  const base = modules.module(ENV_FILE);
  const test = nodesIn(base.source.tree.topNode, 'BinaryExpression').find(
    (node) => node.getChild('in') !== null && node.firstChild?.name === 'String',
  );
  const marker = test?.firstChild ?? undefined;
  return marker && modules.evaluate(base, marker);
}
