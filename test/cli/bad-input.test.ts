/** Bad input is one sentence and an exit code, before anything has started or been written. */

import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { expectSentence, namesIn, scratchFolder, tauflow } from './in-process.ts';

const shipped = fileURLToPath(new URL('../../data/retail', import.meta.url));

describe('a command line that cannot be', () => {
  const cases: readonly (readonly [name: string, words: string, sentence: RegExp])[] = [
    ['an unknown command', 'fly', /unknown command 'fly'/],
    ['an unknown flag', 'run --modle gpt-4o', /unknown option '--modle'\n\(Did you mean --model\?\)\n\(see --help\)/],
    ['a flag without its value', 'run --model', /argument missing/],
    ['a word too many', 'run retail', /too many arguments/],
    ['an unknown command of a group', 'data fly', /unknown command 'fly'/],
    [
      'an unknown strategy',
      'run --agent-strategy fly',
      /--agent-strategy "fly"; this version has: tool-calling, act, react, few-shot, fast/,
    ],
    [
      'few-shot without displays',
      'run --agent-strategy few-shot',
      /the few-shot agent shows 5 displays, and there are 0 for task 0 with the pack .*--few-shot-displays-path/,
    ],
    [
      'displays that are not there',
      'run --agent-strategy few-shot --few-shot-displays-path no',
      /no does not exist; check --few-shot-displays-path\.$/,
    ],
    [
      'displays left out of none',
      'run --few-shot-leave-out',
      /--few-shot-leave-out is for few-shot; the agent strategy/,
    ],
    ['an unknown user strategy', 'run --user-strategy fly', /unknown --user-strategy "fly"; this version has: llm/],
    ['a mistyped env', 'run --env retial', /unknown --env "retial" \(did you mean retail\?\); this version has/],
    [
      'a mistyped strategy',
      'run --agent-strategy tool-caling',
      /unknown --agent-strategy "tool-caling" \(did you mean tool-calling\?\)/,
    ],
    [
      'a range of tasks from the end',
      'run --task-ids 5-1',
      /--task-ids has the range "5-1", which ends before it begins\.$/,
    ],
    [
      'a range without an end',
      'run --task-ids 1-',
      /--task-ids must be task numbers such as 1 2 3, 1,2,3 or 1-3, not "1-"\.$/,
    ],
    ['an endless range', 'run --task-ids 0-999999999', /--task-ids has the range .* longer than 100000 tasks\.$/],
    [
      'options of a service without one',
      'run --env-options {"a":1} --dry-run',
      /^error: --env-options is for environment services; name one with --env-url, or leave it out\.$/,
    ],
    ['replays of a service without one', 'run --env-replays --dry-run', /--env-replays is for an environment service/],
    [
      'options of a service that are none',
      'run --env-options [] --dry-run',
      /--env-options must be a JSON object such as \{"size": 3\}\.$/,
    ],
    ['an unknown env', 'run --env telecom', /unknown --env "telecom"; this version has: retail/],
    ['an unknown split', 'run --task-split exam', /has no task split "exam"; it has dev and test/],
    [
      'an unknown provider',
      'run --model m --model-provider fly',
      /--model-provider: unknown model provider "fly"; known/,
    ],
    [
      'an unknown provider of the user',
      'run --user-model m --user-model-provider fly',
      /--user-model-provider: unknown/,
    ],
    ['a model without a provider', 'run --model gpt-4o', /--model gpt-4o needs a --model-provider; known are/],
    ['a provider without a model', 'run --model-provider openai', /needs a --model, such as/],
    ['task ids out of range', 'run --task-ids 1 4000', /there is no task 4000; split test has the tasks 0 to 39/],
    ['task ids that are no numbers', 'run --task-ids 1 two', /--task-ids must be task numbers .*, not "two"/],
    ['negative task ids', 'run --task-ids 1 -1', /--task-ids must be task numbers .*, not "-1"/],
    ['an empty range', 'run --start-index 5 --end-index 5', /--start-index 5 --end-index 5 selects no task/],
    ['a range behind the last task', 'run --start-index 500', /--start-index 500 --end-index -1 selects no task/],
    ['a budget of nothing', 'run --max-cost 0', /--max-cost must be more than 0/],
    ['a temperature in words', 'run --temperature hot', /--temperature must be a number/],
    [
      'a temperature that OpenAI does not take',
      'run --model gpt-4o --model-provider openai --temperature 5',
      /openai\/gpt-4o takes no temperature of 5; use one from 0 to 2, or none at all \(default\)/,
    ],
    [
      'a temperature that Anthropic does not take, in a dry run',
      'run --model anthropic/claude-sonnet-4-5 --temperature 1.5 --dry-run',
      /claude-sonnet-4-5 takes no temperature of 1\.5; use one from 0 to 1/,
    ],
    [
      "a temperature that the simulated user's provider does not take",
      'run --user-model mistral/m --user-model-settings {"temperature":2}',
      /mistral\/m takes no temperature of 2; use one from 0 to 1\.5/,
    ],
    ['a judge of nothing', 'run --judge-model gpt-4.1', /--judge-model is for τ³-bench, .* the env retail has none/],
    ['an empty number', 'run --max-concurrency=', /--max-concurrency must be a whole number/],
    ['half a trial', 'run --num-trials 1.5', /--num-trials must be a whole number/],
    ['no concurrency', 'run --max-concurrency 0', /--max-concurrency must be at least 1/],
    ['a shuffle that is neither', 'run --shuffle 2', /--shuffle must be 0 or 1/],
    ['a share above one', 'run --fail-under 80', /--fail-under must be a number from 0 to 1/],
    ['a duration in words', 'run --episode-timeout soon', /--episode-timeout must be a duration such as/],
    ['no time for a call', 'run --call-timeout 10ms', /--call-timeout must be at least 1s/],
    ['an unknown fault', 'run --scripted-faults 418=1', /"418=1" is not a fault rate/],
    ['faults beyond all calls', 'run --scripted-faults 429=0.7,500=0.7', /add up to 1\.4/],
    [
      'faults for a real model',
      'run --model m --provider openai --user-model m --scripted-latency 1s',
      /only apply to the scripted model, which this run does not use/,
    ],
    ['an invalid run id', 'run --run-id a/b', /the run id "a\/b" may have only letters/],
    ['a log folder elsewhere', 'run --log-dir gs://bucket/runs', /a gs:\/\/ address: give --log-dir a folder, or s3/],
    [
      'requests in a store',
      'run --log-dir s3://bucket/runs --keep-requests',
      /--keep-requests keeps them on disks only/,
    ],
    ['a log folder of another machine', 'run --log-dir file://host/runs', /names no folder of this machine/],
    ['a pack that is not there', 'run --pack ./nowhere', /no such folder/],
    ['the name of no pack', 'run --pack nowhere', /there is no pack "nowhere"/],
    ['a config file that is not there', 'run --config nowhere.json', /nowhere\.json does not exist; check --config\.$/],
    ['a report of no run', 'report nowhere', /there is no run nowhere in/],
    ['a report of no file', 'report results/nowhere.json', /there is no results file results\/nowhere\.json/],
    ['the status of no run', 'status nowhere', /there is no run nowhere in/],
    ['a steered run of a wrong id', 'pause a/b', /the run id "a\/b" may have only letters/],
    ['no run to steer', 'pause', /missing required argument 'run'/],
    [
      'an episode in another spelling',
      'cancel mine 17.0',
      /"17\.0" is not an episode; one is written task-17\.trial-0/,
    ],
    [
      'an episode beside tasks',
      'retry mine task-1.trial-0 --task-ids 1',
      /name episodes, or give --task-ids, --trials and --conditions/,
    ],
    ['an episode to retry that is none', 'retry mine task-1', /"task-1" is not an episode/],
    ['trials to retry in words', 'retry mine --trials last', /--trials must be trial numbers .*, not "last"/],
    [
      'no limit to set',
      'set mine',
      /nothing to set; give --max-concurrency N, --max-cost USD, --max-cost none, --outage-timeout 30m, --repeat-suspect N or /,
    ],
    ['a concurrency of nothing', 'set mine --max-concurrency 0', /--max-concurrency must be at least 1/],
    ['a budget in words', 'set mine --max-cost little', /--max-cost must be a number of USD, or none/],
    ['a budget of less than nothing', 'set mine --max-cost=-1', /--max-cost must be more than 0/],
    ['a list of nothing', 'list --limit 0', /--limit must be a whole number of at least 1/],
    ['a list by a status that is none', 'list --status fine', /unknown --status "fine"; there are: running, completed/],
    ['a format that is none', 'report x --format pdf', /Allowed choices are table, json, markdown/],
    ['a port beyond all ports', 'scripted-model --port 70000', /--port must be a whole number from 0 to 65535/],
    ['a pack of a service', 'scripted-model --env-url http://127.0.0.1:1 --pack x', /leave it out beside --env-url/],
    ['a seed in words', 'scripted-model --seed lucky', /--seed must be a whole number/],
    ['a server port in words', 'server --port http', /--port http is not a port/],
    [
      'a worker for nobody',
      'worker --max-concurrent-activities 0',
      /--max-concurrent-activities must be a whole number/,
    ],
    ['a rate for nobody', 'worker --max-llm-calls-per-second fly=1', /not "fly=1"; providers are: openai/],
    ['no rate', 'worker --max-llm-calls-per-second openai', /pairs such as openai=5, or openai=none, not "openai"/],
    ['a rate of 0', 'worker --max-llm-calls-per-second openai=0', /not "openai=0"/],
    ['half a version', 'worker --deployment evaluation', /needs both, --deployment NAME and --build-id ID/],
    ['no time', 'worker --grace soon', /--grace must be a duration/],
    ['calls for nobody', 'worker --providers nobody', /--providers nobody: unknown model provider/],
    ['a pack to verify that is none', 'data verify nowhere', /there is no pack "nowhere"; give a folder, or one of/],
    ['a pack without a folder', 'data generate', /required option '--out <folder>' not specified/],
    [
      'a pack with words for numbers',
      'data generate --out p --tasks many',
      /--tasks must be a whole number, not "many"/,
    ],
    [
      'a pack of a difficulty that there is not',
      'data generate --out p --difficulty extreme',
      /'--difficulty <level>' argument 'extreme' is invalid. Allowed choices are easy, medium, hard/,
    ],
    ['a pack of no domain', 'data generate --out p --env hotel', /the env hotel; there are retail and airline/],
    ["a size of another domain's", 'data generate --out p --flights 60', /the domain retail has no flights/],
    ['a pack without tasks', 'data generate --out p --tasks 0', /the number of tasks must be whole and from 1/],
  ];
  it.each(cases)('%s: one sentence, exit code 2, nothing written', async (_name, words, sentence) => {
    const cwd = scratchFolder();
    expectSentence(await tauflow(words.split(' '), { cwd }), 2, sentence);
    expect(namesIn(cwd)).toEqual([]);
  });

  it('shows the stack trace with --debug, wherever that is', async () => {
    for (const words of [
      ['--debug', 'run', '--max-cost', '0'],
      ['run', '--max-cost', '0', '--debug'],
    ]) {
      expect((await tauflow(words)).stderr).toMatch(/^error: .*--max-cost must be more than 0\.\n\s+at /);
    }
  });
});

describe('steering a run that nobody knows', () => {
  // A server that does not answer is given five seconds.
  it('is refused by every command alike, together', async () => {
    const cwd = scratchFolder();
    const commands = ['pause', 'resume', 'cancel', 'retry --task-ids 1', 'set --max-cost 1'].map((text) => {
      const [command = '', ...flags] = text.split(' ');
      return [command, 'nowhere', ...flags];
    });
    for (const ended of await Promise.all(commands.map((words) => tauflow(words, { cwd })))) {
      expectSentence(ended, 2, /there is no run nowhere in .*, and no server can be asked: no Temporal server at/);
    }
    expect(namesIn(cwd)).toEqual([]);
  });
});

describe('a key', () => {
  const words = 'run --model gpt-4o --model-provider openai --user-model gpt-4o --task-ids 1'.split(' ');
  it.each([
    ['missing', {}],
    ['empty', { OPENAI_API_KEY: '' }],
    ['blank', { OPENAI_API_KEY: '  ' }],
  ])('that is %s is reported before anything starts', async (_name, env) => {
    const cwd = scratchFolder();
    expectSentence(
      await tauflow(words, { cwd, env }),
      2,
      /agent's model openai\/gpt-4o cannot be called: OPENAI_API_KEY is not set; export it/,
    );
    expect(namesIn(cwd)).toEqual([]);
  });

  it('that no header can have is refused before anything starts, and never shown', async () => {
    const cwd = scratchFolder();
    const env = { OPENAI_API_KEY: 'sk-very\nsecret' };
    const result = await tauflow(words, { cwd, env });
    expectSentence(
      result,
      2,
      /cannot be called: OPENAI_API_KEY has a line break \(U\+000A\) at character 8; set it to/,
    );
    expect(result.stderr).not.toContain('secret');
    expect(namesIn(cwd)).toEqual([]);
    expect((await tauflow([...words, '--dry-run'], { cwd, env })).stdout).toContain('OPENAI_API_KEY has a line break');
  });

  it('of the agent that no header can have is refused before the agent is asked', async () => {
    const cwd = scratchFolder();
    const env = { TAUFLOW_AGENT_KEY: '“secret”' };
    const agent = 'run --agent-url http://127.0.0.1:1 --model oracle --task-ids 1'.split(' ');
    expectSentence(await tauflow(agent, { cwd, env }), 2, /TAUFLOW_AGENT_KEY has a curly quotation mark \(U\+201C\)/);
    expect(namesIn(cwd)).toEqual([]);
  });

  it('is not needed for what is only looked at', async () => {
    expect((await tauflow([...words, '--dry-run'])).code).toBe(0);
  });
});

describe('a broken pack', () => {
  function broken(spoil: (folder: string) => void): string {
    const folder = join(scratchFolder(), 'shop');
    cpSync(shipped, folder, { recursive: true });
    spoil(folder);
    return folder;
  }
  function withoutInstruction(folder: string): void {
    const file = join(folder, 'tasks-test.json');
    const tasks = JSON.parse(readFileSync(file, 'utf8')) as { instruction?: string }[];
    delete tasks[3]?.instruction;
    writeFileSync(file, JSON.stringify(tasks));
    rmSync(join(folder, 'pack.json'));
  }
  const cases: readonly (readonly [name: string, spoil: (folder: string) => void, sentence: RegExp])[] = [
    ['a missing file', (folder) => rmSync(join(folder, 'orders.json')), /orders\.json: the file is missing/],
    ['broken JSON', (folder) => spoilJson(folder), /users\.json: not valid JSON: .*line/],
    ['a wrong digest', (folder) => writeFileSync(join(folder, 'wiki.md'), '# Be kind'), /wiki\.md: its sha256 is /],
    ['a task without instruction', withoutInstruction, /tasks-test\.json: \[3\]\.instruction is missing/],
  ];
  function spoilJson(folder: string): void {
    writeFileSync(join(folder, 'users.json'), '{"a": ');
    rmSync(join(folder, 'pack.json'));
  }

  it.each(cases)('with %s is refused by the file, for each command', async (_name, spoil, sentence) => {
    const pack = broken(spoil);
    const cwd = scratchFolder();
    for (const command of [['run'], ['worker'], ['scripted-model', '--port', '0']]) {
      expectSentence(await tauflow([...command, '--pack', pack], { cwd }), 2, sentence);
    }
    const verified = await tauflow(['data', 'verify', pack], { cwd });
    expect(verified.stdout).toMatch(sentence);
    expect(verified).toMatchObject({ code: 2, stderr: 'error: 1 of 1 packs cannot be used.' });
    expect(namesIn(cwd)).toEqual([]);
  });
});

describe('a log folder that cannot be written', () => {
  it('because a file is in its way', async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'results'), '');
    expectSentence(await tauflow(['run'], { cwd }), 2, /cannot be written under .*results: .*--log-dir/);
    expect(namesIn(cwd)).toEqual(['results']);
  });

  it.skipIf(!existsSync('/proc/self'))('because no folder can be made there', async () => {
    expectSentence(await tauflow(['run', '--log-dir', '/proc/x'], { cwd: scratchFolder() }), 2, /cannot be written/);
  });

  it.skipIf(process.getuid?.() === 0)('because it is not ours', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'results'));
    chmodSync(join(cwd, 'results'), 0o555);
    expectSentence(await tauflow(['run'], { cwd }), 2, /permission denied/);
  });
});

describe('a config file', () => {
  const cases: readonly (readonly [name: string, text: string, sentence: RegExp])[] = [
    ['is not JSON', '{"model": ', /config\.json is not JSON/],
    ['is no object', '[1]', /config\.json must hold a JSON object/],
    [
      'has an unknown option',
      '{"modle": "gpt-4o"}',
      /config\.json has the unknown option "modle" \(did you mean model\?\)\.$/,
    ],
    [
      'has several mistakes',
      '{"max_step": 3, "no_worker": 1, "seed": "x", "num_trials": 0}',
      /config\.json has the unknown option "max_step" \(did you mean max_steps\?\); has "no_worker": 1, which must be true or false; --\S+ must be .*; --\S+ must be .*\.$/,
    ],
    ['has a value of another kind', '{"num-trials": true}', /--num-trials must be a whole number/],
    ['negates with a text', '{"no_worker": "yes"}', /"no_worker": "yes", which must be true or false/],
  ];
  it.each(cases)('that %s is refused', async (_name, text, sentence) => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, 'config.json'), text);
    expectSentence(await tauflow(['run', '--config', 'config.json'], { cwd }), 2, sentence);
  });
});

describe('a results file', () => {
  it('that was cut in half is reported by name', async () => {
    const cwd = scratchFolder();
    const text = JSON.stringify([{ task_id: 0, reward: 1, info: {}, traj: [], trial: 0 }]);
    writeFileSync(join(cwd, 'half.json'), text.slice(0, text.length / 2));
    expectSentence(await tauflow(['report', 'half.json'], { cwd }), 2, /half\.json is cut short or is not JSON/);
  });
});

describe('a server that does not answer', () => {
  it('is reported with exit code 3, and leaves no run log', async () => {
    const cwd = scratchFolder();
    const ended = await tauflow(['run', '--no-worker', '--task-ids', '1'], { cwd });
    expect(ended.code).toBe(3);
    expect(ended.stderr).toMatch(/\nerror: no Temporal server at 127\.0\.0\.1:1; .*TEMPORAL_ADDRESS$/);
    expect(ended.stderr.match(/^error/gm)).toHaveLength(1);
    expect(namesIn(cwd)).toEqual([]);
  });

  it('leaves a log folder as it was', async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, 'results', 'mine'), { recursive: true });
    await tauflow(['run', '--no-worker', '--run-id', 'mine', '--task-ids', '1'], { cwd });
    expect(namesIn(join(cwd, 'results'))).toEqual(['mine']);
    expect(namesIn(join(cwd, 'results', 'mine'))).toEqual([]);
  });
});
