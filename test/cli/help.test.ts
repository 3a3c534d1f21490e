import { describe, expect, it } from 'vitest';
import { strategies } from '../../src/agents/index.ts';
import { userStrategies } from '../../src/agents/users/index.ts';
import { PROVIDERS } from '../../src/models/providers.ts';
import { tauflow } from './in-process.ts';

describe('help', () => {
  it('is what a command line without a command gets', async () => {
    const { code, stdout, stderr } = await tauflow([]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: tauflow .*Run:.*run .*doctor/s);
  });

  it('is there for each command', async () => {
    const { code, stdout } = await tauflow(['help', 'run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage: tauflow run .*--max-cost .*--help-all/s);
    expect((await tauflow(['run', '--help'])).stdout).toBe(stdout);
  });

  it('shows the essential options of a run first, and all with --help-all', async () => {
    const [short, whole] = [await tauflow(['run', '--help']), await tauflow(['run', '--help-all'])];
    expect(whole.code).toBe(0);
    expect(short.stdout.split('\n').length).toBeLessThan(56);
    expect(short.stdout).not.toContain('--outage-timeout');
    expect(whole.stdout.match(/^ +--/gm)?.length).toBeLessThanOrEqual(62);
    expect(short.stdout).toMatch(/--num-trials .*default: 1; without --model and\s+--pack: 4/);
    expect(whole.stdout).toMatch(/Options:.*--num-trials.*Further options:.*--outage-timeout/s);
    expect(whole.stdout).not.toContain('--intent-ranker');
    const own = await tauflow(['run', '--agent-strategy', 'fastworkflow', '--help-all']);
    expect(own.stdout).toMatch(/Options of some agent strategies:.*--intent-ranker/s);
  });

  it.each(['', 'run', 'schedule create', 'fork', 'errors', 'report', 'export', 'set', 'worker', 'scripted-model'])(
    'of "%s" is no wider than the terminal',
    async (words) => {
      for (const flag of ['--help', '--help-all']) {
        const { stdout } = await tauflow([...words.split(' ').filter((word) => word !== ''), flag]);
        expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
      }
    },
  );

  it.each([['run'], ['schedule create']])(
    'of %s names every provider, agent strategy and user strategy',
    async (words) => {
      const { stdout } = await tauflow([...words.split(' '), '--help']);
      const flat = stdout.replace(/\s+/g, ' ');
      expect(flat).toContain(`the model's provider: ${PROVIDERS.map(({ name }) => name).join(', ')} `);
      expect(flat).toContain(`${Object.keys(strategies).join(', ')}, fastworkflow-python, or a file`);
      expect(flat).toContain(`simulated: ${Object.keys(userStrategies).join(', ')} (`);
    },
  );
});
