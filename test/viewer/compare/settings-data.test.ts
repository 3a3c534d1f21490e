import { expect, it } from 'vitest';

import { differingSettings, runNames } from '../../../src/viewer/compare/settings-data.ts';
import { run } from '../payloads.ts';

it('lists only what differs, run by run', () => {
  const runs = [
    run([], { env: 'retail', agentModel: 'gpt-4o', variants: ['no policy'] }),
    run([], { env: 'retail', agentModel: null }),
  ];
  expect(differingSettings(runs)).toEqual([
    { name: 'agent model', values: ['gpt-4o', 'not known'] },
    { name: 'variants', values: ['no policy', 'none'] },
  ]);
});

it('numbers runs of one name', () => {
  expect(runNames([run([], { runId: 'a' }), run([], { runId: 'b' }), run([], { runId: 'a' })])).toEqual([
    ...['a', 'b', 'a (2)'],
  ]);
});
