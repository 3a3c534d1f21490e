/** Records, reports and exports are made of what models wrote in time linear in its length. */

import { escapeControls } from '../../src/cli/terminal/testing.ts';
import { htmlText } from '../../src/viewer/testing.ts';
import { conversationOfRecord, conversationHasWords } from '../../src/viewer/data/testing.ts';
import { reportsToCsv } from '../../src/results/export/index.ts';
import { xmlDocument } from '../../src/results/export/testing.ts';
import { heading, renderMarkdown } from '../../src/results/document/index.ts';
import { buildEpisodeRecord, recordCodec } from '../../src/run-log/index.ts';
import { layOut } from '../../src/viewer/app/testing.ts';
import { testLinear } from '../helpers/linear.ts';
import { CONTEXT, recordInput } from './fixtures.ts';

const NO_FACTS = { analysis: null, verdict: null, historyUrl: null };

testLinear(
  {
    'a record': (text) => {
      const actions = [{ name: 'think', kwargs: new Map([['thought', text]]) }];
      const messages = [
        { role: 'assistant', content: `Thought: ${text}` },
        { role: 'user', content: text },
      ] as const;
      const record = buildEpisodeRecord(recordInput(), { ...CONTEXT, actions, messages });
      const read = recordCodec.read(recordCodec.write(record));
      const conversation = conversationOfRecord(read, 'text', NO_FACTS);
      return conversationHasWords(conversation, ['a', 'word']);
    },
    'text in a report': (text) => [
      htmlText(text),
      xmlDocument({ name: 'a', attributes: { b: text }, text }),
      renderMarkdown([heading(text)]),
      escapeControls(text),
      reportsToCsv([]),
    ],
    'JSON that the page lays out': (text) => {
      const half = text.slice(0, text.length / 2);
      const closing = Array.from(half, (char) => ({ '[': ']', '{': '}' })[char] ?? '').reverse();
      return [layOut(text), layOut(half + closing.join('')), layOut(`{"a": ${JSON.stringify([text, ...text])}}`)];
    },
  },
  { longest: 2 ** 14 },
);
