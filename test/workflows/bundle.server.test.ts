import { readFile } from 'node:fs/promises';
import { historyFromJSON, historyToJSON } from '../../src/temporal/sdk-internals/testing.ts';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { workflowBundle } from '../../src/temporal/worker/bundle.ts';
import { beforeAll, describe, expect, inject, it } from 'vitest';

let code = '';
beforeAll(async () => {
  code = await readFile(inject('workflowBundle'), 'utf8');
});

/** Paths of this project's modules in the bundle, relative to the repository. */
function bundledModules(): string[] {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const paths = sourceMap().sources.map((source) =>
    source
      .replace(/^webpack:\/\/[^/]*\//, '')
      .replace(root, '')
      .replace(/^(?:\.?\/)+/, ''),
  );
  // `ignored|…`: webpack's stand-in for what the SDK looks for and may leave out.
  return paths.filter((path) => !/^(?:node_modules\/|webpack\/|ignored\|)/.test(path));
}

function sourceMap(): { readonly sources: readonly string[] } {
  const [, base64] = /sourceMappingURL=data:application\/json;(?:charset=[^;]+;)?base64,(\S+)/.exec(code) ?? [];
  if (base64 === undefined) throw new Error('the bundle has no source map');
  return JSON.parse(Buffer.from(base64, 'base64').toString('utf8')) as { sources: string[] };
}

describe("the workflows' bundle", () => {
  it.each([
    ...['zod', 'openai', 'lru-cache', 'undici', '@temporalio/client', '@temporalio/activity'],
    ...['@opentelemetry', '@temporalio/interceptors-opentelemetry'],
  ])('has nothing of %s: every cached workflow would hold a copy', (name) => {
    expect(code).not.toContain(`node_modules/${name}/`);
  });

  it('has no modules but the workflows and the pure modules', () => {
    const modules = bundledModules();
    expect(modules).toContain('workflows/episode.ts');
    const pure =
      /^(?:workflows|src\/(?:benchmark|agents|users|wire|orchestration))\/|^data\/(?:intent-training|\w+\/(?:intent-weights|commands|fastworkflow-texts))\.json$/;
    expect(modules.filter((path) => !pure.test(path))).toEqual([]);
  });
});

/** Modules that a bundle evaluates once for all workflows of a worker. */
function sharedModules(bundle: string): string[] {
  const [, body = ''] = /exports\.preloadModules = function preloadModules\(\) \{([^}]*)\}/.exec(bundle) ?? [];
  return [...body.matchAll(/"([^"]+)"\);/g)].map(([, path = '']) => path);
}

describe('modules that workflows share', () => {
  it('are those that are pure', () => {
    const names = sharedModules(code).map((path) => /(\w+\/index|trained-weights)\.[jt]s$/.exec(path)?.[1]);
    expect(names).toEqual(['trained-weights', 'agents/index', 'benchmark/index', 'users/index', 'wire/index']);
  });

  it(
    'are data alone with an agent from a file: what it keeps belongs to one workflow',
    { timeout: 60_000 },
    async () => {
      const file = { path: 'counting.ts', digest: 'a'.repeat(64) };
      const strategy = { solve: () => Promise.resolve('done') } as never;
      const own = 'let episodes = 0; module.exports = { solve: () => (episodes += 1) };';
      const bundle = await workflowBundle({ isTraced: false, agents: [{ strategy, file, code: own }] });
      if (!('code' in bundle)) throw new Error('an agent from a file is bundled as the worker starts');
      expect(bundle.code).toContain('let episodes = 0');
      expect(sharedModules(bundle.code)).toEqual([expect.stringMatching(/trained-weights\.[jt]s$/)]);
    },
  );
});

describe('protobufjs', () => {
  it('is one copy for all of the SDK: with two no history can be written as JSON', () => {
    const mine = createRequire(import.meta.url);
    const copies = ['proto', 'common', 'client', 'worker'].map((name) =>
      createRequire(mine.resolve(`@temporalio/${name}`)).resolve('protobufjs'),
    );
    expect(new Set(copies).size).toBe(1);
  });

  it('reads and writes a history', () => {
    const history = {
      events: [
        {
          eventId: '1',
          eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED',
          workflowExecutionSignaledEventAttributes: { signalName: 'control' },
        },
      ],
    };
    expect(JSON.parse(historyToJSON(historyFromJSON(history)))).toMatchObject(history);
  });
});
