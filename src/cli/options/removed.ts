/** Flags and config file keys of earlier versions, with their replacements. */

const FIXED = 'leave it out, because the limit is fixed';

const REMOVED: Readonly<Record<string, string>> = {
  'max-reply-chars': FIXED,
  'max-tool-argument-chars': FIXED,
  'heartbeat-timeout': FIXED,
  compat: 'use --user-strategy react-reference for react-user, --agent-strategy fastworkflow-python for the others',
  'episode-limit': 'start a large run with --yes',
  'top-p': `use --model-settings '{"top_p": 0.9}'`,
  'user-top-p': `use --user-model-settings '{"top_p": 0.9}'`,
  wire: `use --model-settings '{"wire": "chat"}'`,
  'user-wire': `use --user-model-settings '{"wire": "chat"}'`,
  'extra-body': `use --model-settings '{"extra_body": {"service_tier": "flex"}}'`,
  'user-extra-body': `use --user-model-settings '{"extra_body": {"service_tier": "flex"}}'`,
};

/** Former flags of roles, such as `--planner-model`, with the keys for their values in `--role-models`. */
const OF_ROLES: Readonly<Record<string, string>> = {
  model: '"model": "gpt-6-luna"',
  'model-provider': '"provider": "openai"',
  'model-settings': '"top_p": 0.9',
  temperature: '"temperature": 0',
  'max-completion-tokens': '"max_completion_tokens": 4096',
  'max-output-tokens': '"max_completion_tokens": 4096',
  'reasoning-effort': '"reasoning_effort": "low"',
  'top-p': '"top_p": 0.9',
  wire: '"wire": "chat"',
  'extra-body': '"extra_body": {"service_tier": "flex"}',
};
const OF_A_ROLE = new RegExp(`^([a-z][a-z-]*?)-(${Object.keys(OF_ROLES).join('|')})$`);

/**
 * @param name of an unknown flag, without its dashes, or of an unknown key in kebab-case
 * @param isLikeAnother true if another name is similar, so that this may be a typing mistake
 * @returns advice in a sentence without its full stop; undefined if no version had the name
 */
export function removedAdvice(name: string, isLikeAnother: boolean): string | undefined {
  if (Object.hasOwn(REMOVED, name)) return REMOVED[name];
  const [, role, setting = ''] = OF_A_ROLE.exec(name) ?? [];
  return role === undefined || isLikeAnother
    ? undefined
    : `use --role-models '{"${role}": {${String(OF_ROLES[setting])}}}'`;
}

/** @param text error of the command-line parser @returns advice for a removed flag, otherwise the text */
export function explainRemovedFlag(text: string): string {
  const name = /^error: unknown option '--([a-z-]+)/.exec(text)?.[1];
  const advice = name === undefined ? undefined : removedAdvice(name, text.includes('Did you mean'));
  return advice === undefined ? text : `error: --${String(name)} was removed; ${advice}.\n`;
}
