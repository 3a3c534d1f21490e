/** Commands that go on with a run, as they are printed. */

import { describe, expect, it } from 'vitest';
import { resumeCommand, workerCommand } from '../../src/cli/run/testing.ts';
import { parseRunOptions } from '../../src/run-setup/index.ts';

describe('the command that resumes a run', () => {
  it('names the run, and nothing that the run log knows', () => {
    const options = parseRunOptions({ model: 'oracle', numTrials: '4', maxConcurrency: '8' });
    expect(resumeCommand('nightly', options)).toBe('npx tauflow resume nightly');
  });

  it('says again what the run log does not know', () => {
    const options = parseRunOptions({
      logDir: 'my logs',
      taskQueue: 'mine',
      scriptedLatency: '0.2s',
    });
    expect(resumeCommand('nightly', options)).toBe("npx tauflow resume nightly --log-dir 'my logs' --task-queue mine");
  });
});

describe('the command of a worker for a run', () => {
  const commandFor = (logDir: string) => {
    const request = { run: { runId: 'nightly', logDir }, config: { strategyOptions: {} } };
    return workerCommand(request as Parameters<typeof workerCommand>[0], parseRunOptions({ model: 'oracle' }));
  };

  it('names an object store, because a worker writes to no other than it is given', () => {
    expect(commandFor('s3://evals/team')).toBe('npx tauflow worker --log-dir s3://evals/team');
    expect(commandFor('/logs')).toBe('npx tauflow worker');
  });
});
