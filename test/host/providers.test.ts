/** The providers that a worker serves. */

import { expect, it } from 'vitest';
import { chooseProviders } from '../../src/host/index.ts';

it('a worker with a key that no header can have does not start, whichever provider the key is for', () => {
  const env = { OPENAI_API_KEY: 'sk-a', XAI_API_KEY: 'xai–secret' };
  const sentence = 'XAI_API_KEY has a dash that is no hyphen (U+2013) at character 4; set it to the key alone';
  expect(() => chooseProviders(null, { env })).toThrow(`${sentence}.`);
  expect(() => chooseProviders(['xai'], { env })).toThrow(`--providers xai: ${sentence}`);
  expect(chooseProviders(['openai'], { env })).toEqual(['openai']);
});
