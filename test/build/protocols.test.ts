import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { protocolOpenApi, protocolSchema } from '../../src/agent-service/index.ts';
import { ENVIRONMENT_SCHEMAS, environmentOpenApi, environmentSchema } from '../../src/build/testing.ts';

const shipped = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.json`, import.meta.url), 'utf8'));

/** Targets of all references in a document. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

/** The part of a document that a reference names. */
function partOf(document: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce((part: unknown, name) => (part as Record<string, unknown> | undefined)?.[name], document);
}

describe.each([
  ['turn-protocol.schema', protocolSchema(), 1],
  ['turn-protocol.openapi', protocolOpenApi(), 1],
  ['environment-protocol.schema', environmentSchema(), 0],
  ['environment-protocol.openapi', environmentOpenApi(), 1],
])('schemas/%s.json', (name, made, least) => {
  it('is what src/build/make-protocol.ts writes', () => {
    expect(shipped(name)).toEqual(JSON.parse(JSON.stringify(made)));
  });

  it('refers to parts of its own', () => {
    const references = referencesIn(made);
    expect(references.length).toBeGreaterThanOrEqual(least);
    expect(references.filter((reference) => partOf(made, reference) === undefined)).toEqual([]);
  });
});

describe('docs/environment-services.md', () => {
  const page = readFileSync(new URL('../../docs/environment-services.md', import.meta.url), 'utf8');
  const blocksOf = (language: string) =>
    Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')), ([, block = '']) => block);

  it('shows documents of the protocol, each request before its answer', () => {
    const { Description, TasksRequest, Tasks, StartRequest, Start, CallRequest, Observation, GradeRequest, Grade } =
      ENVIRONMENT_SCHEMAS;
    const order = [
      Description,
      TasksRequest,
      Tasks,
      StartRequest,
      Start,
      CallRequest,
      Observation,
      GradeRequest,
      Grade,
    ];
    const blocks = blocksOf('json');
    expect(blocks.length).toBe(order.length);
    expect(blocks.map((block, at) => order[at]?.safeParse(JSON.parse(block)).error?.message)).toEqual(
      order.map(() => undefined),
    );
  });

  it('quotes the example', () => {
    const shop = readFileSync(new URL('../../examples/python-environment/shop.py', import.meta.url), 'utf8');
    expect(blocksOf('python').filter((block) => !shop.includes(block))).toEqual([]);
    expect(blocksOf('python').length).toBe(1);
  });
});
