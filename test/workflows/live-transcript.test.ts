import { describe, expect, it } from 'vitest';

import { initialStepSummary, stepSummary } from '../../workflows/details.ts';
import { LiveTranscript } from '../../workflows/live-transcript.ts';
import { action } from '../benchmark/helpers.ts';

const bytes = (text: string) => Buffer.byteLength(text);

describe('the story', () => {
  it('has a paragraph for each line, in order', () => {
    const story = new LiveTranscript();
    story.add({ what: 'plan', text: '1. Look it up.\n2. Tell the customer.\n' });
    story.add({ what: 'thought', text: 'I need the order & <its> items.' });
    story.add({ what: 'command', text: 'get_order_details\n  <order_id>#W1</order_id>' });
    story.add({ what: 'step', text: 'get_order_details {"order_id": "#W1"}' }, 'step 3');
    story.add({ what: 'observation', text: '{"note": "a `quoted` word"}' });
    story.add({ what: 'reply', text: 'It costs $5, not $6.' });
    expect(story.toMarkdown()).toBe(
      [
        '**plan**: \n> 1. Look it up.\n> 2. Tell the customer.',
        '**thought**: I need the order & &lt;its> items.',
        '**command**: `get_order_details <order_id>#W1</order_id>`',
        '**step 3**: `get_order_details {"order_id": "#W1"}`',
        '**observation**: `` {"note": "a `quoted` word"} ``',
        '**reply**: It costs &#36;5, not &#36;6.',
      ].join('\n\n'),
    );
  });

  it('cuts long texts, and shows the newest lines that fit in 12 kB', () => {
    const story = new LiveTranscript();
    for (let i = 1; i <= 1000; i++) story.add({ what: 'thought', text: `${i} ${'x'.repeat(1000)}` });
    const shown = story.toMarkdown();
    expect(shown).toMatch(/^…\n\n\*\*thought\*\*: 98\d x/);
    expect(shown).toMatch(/\*\*thought\*\*: 1000 x{594}…$/);
    expect(bytes(shown)).toBeGreaterThan(11_000);
    expect(bytes(shown)).toBeLessThanOrEqual(12_010);
  });

  it('counts bytes, not letters', () => {
    const story = new LiveTranscript();
    for (let i = 0; i < 100; i++) story.add({ what: 'user', text: '東'.repeat(500) });
    expect(bytes(story.toMarkdown())).toBeLessThanOrEqual(12_010);
  });
});

describe('the summary of a step', () => {
  it('names the tool and its first text, and says which data are shown', () => {
    const cancel = action('cancel_pending_order', '{"order_id": "#W0000000", "reason": "no longer needed"}');
    expect(stepSummary(5, cancel)).toBe('step 5: cancel_pending_order #W0000000');
    expect(initialStepSummary(5, cancel)).toBe('step 5 shown on the initial data: cancel_pending_order #W0000000');
    expect(stepSummary(1, action('calculate', `{"expression": "${'1 + '.repeat(50)}"}`))).toHaveLength(100);
  });
});
