/** Remedies for refused requests, by the provider's words. */

import { describe, expect, it } from 'vitest';

import { ModelCallError, withRemedy } from '../../src/models/index.ts';
import type { ModelFailure } from '../../src/models/testing.ts';

const refused = (message: string, type: ModelFailure['type'] = 'RequestRefused') =>
  new ModelCallError({ type, retryable: false, message });

function adviceOf(message: string, side: 'agent' | 'user' = 'agent'): string {
  const { message: told } = withRemedy(refused(message), side) as Error;
  expect(told.startsWith(message)).toBe(true);
  return told.slice(message.length);
}

describe('the remedy for a refused request', () => {
  it.each([
    [
      '400 Function tools with reasoning_effort are not supported for gpt-5.5 in /v1/chat/completions. Please use /v1/responses instead.',
      `--model-settings '{"wire": "responses"}'`,
    ],
    ["400 Unsupported parameter: 'max_tokens' is not supported with this model.", '--max-completion-tokens'],
    ['400 `temperature` may only be set to 1 for this model', '--temperature default'],
    ['400 Function call is missing a thought_signature in functionCall parts.', '--model-provider'],
    ['400 The `reasoning_content` in the thinking mode must be passed back to the API.', '--model-provider'],
    ["400 Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.", '--reasoning-effort'],
    ['400 top_p: must not be set together with a budget', 'leave top_p out of --model-settings'],
    ['404 The model `gpt-9` does not exist or you do not have access to it.', '--model)'],
    ['404 model: claude-nothing not found', '--model)'],
    ['400 invalid model ID', '--model)'],
  ])('%s: %s', (message, flag) => {
    expect(adviceOf(message)).toContain(flag);
  });

  it('names the flags of the simulated user', () => {
    expect(adviceOf('400 use /v1/responses', 'user')).toBe(
      ` (call the model with --user-model-settings '{"wire": "responses"}')`,
    );
    expect(adviceOf('400 bad temperature', 'user')).toContain('--user-model-settings');
    expect(adviceOf('404 unknown model', 'user')).toBe(' (check the name given with --user-model)');
  });

  it('is another wire where a server has no Responses API', () => {
    const { message } = withRemedy(refused('404 {"detail":"Not Found"}'), 'user', 'responses') as Error;
    expect(message).toContain(`--user-model-settings '{"wire": "chat"}'`);
    expect(adviceOf('404 {"detail":"Not Found"}')).toBe('');
    const unknown = withRemedy(refused('404 The model `x` does not exist'), 'agent', 'responses') as Error;
    expect(unknown.message).toContain('--model)');
  });

  it('is none for other words and other failures', () => {
    expect(adviceOf('400 Invalid value for messages[3].content')).toBe('');
    const other = refused('529 temperature', 'ModelUnavailable');
    expect(withRemedy(other, 'agent')).toBe(other);
    const bug = new TypeError('temperature');
    expect(withRemedy(bug, 'agent')).toBe(bug);
  });
});
