import { expect, it } from 'vitest';
import type { CallModel } from '../../../src/models/index.ts';
import { newResponder, play } from '../../scripted-model/helpers.ts';
import { figureRows, measureHeldOut } from './intent-figures.ts';
import { createModelRanker } from './model-ranker.ts';

const NO_USAGE = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

/** The scripted model ranks a command by the words of its name that a text has. */
function scriptedModel(): { readonly callModel: CallModel; readonly prompts: string[] } {
  const responder = newResponder();
  const prompts: string[] = [];
  const callModel: CallModel = ({ model, messages }) => {
    const texts = messages.map(({ role, content }) => ({ role, content: content ?? '' }));
    prompts.push(texts.map(({ content }) => content).join('\n'));
    const { content } = play(responder, { model, messages: texts });
    return Promise.resolve({
      message: { role: 'assistant', content },
      finishReason: 'stop',
      usage: NO_USAGE,
      usageReported: false,
      servedModel: model,
      fingerprint: null,
      requestId: null,
      latencyMs: 0,
    });
  };
  return { callModel, prompts };
}

it('a model ranks the commands by the prompt of an episode', async () => {
  const { callModel, prompts } = scriptedModel();
  const rank = createModelRanker(callModel, { provider: 'scripted', model: 'oracle' }, 'retail');
  const ranking = await rank('please cancel the pending order');
  expect(ranking).toContainEqual({ name: 'cancel_pending_order', confidence: 1 });
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain('- cancel_pending_order: ');
  expect(prompts[0]).toContain('please cancel the pending order');
});

it('a model is measured on the same texts as the classifier, each once', async () => {
  const { callModel, prompts } = scriptedModel();
  const figures = await measureHeldOut(
    'retail',
    createModelRanker(callModel, { provider: 'scripted', model: 'oracle' }, 'retail'),
  );
  expect(prompts).toHaveLength(180 + 10 + 24);
  expect(figureRows('retail', figures).map(([label, texts]) => [label, texts])).toEqual([
    ['retail', '180'],
    ['retail, two commands', '10'],
    ['retail, none', '24'],
  ]);
  const { likeliest, texts } = figures.utterances;
  // Names alone go some way, but not far.
  expect(likeliest / texts).toBeGreaterThan(0.2);
  expect(likeliest / texts).toBeLessThan(0.6);
});
