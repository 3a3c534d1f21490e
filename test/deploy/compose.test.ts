import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { PROVIDERS, listKeyVariables } from '../../src/models/providers.ts';
import { readText, readYaml } from './files.ts';

const ROOT = join(import.meta.dirname, '../..');

const service = z.object({
  image: z.string(),
  profiles: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  env_file: z.array(z.object({ path: z.string(), required: z.boolean().optional() })).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  configs: z.array(z.object({ source: z.string(), target: z.string() })).optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z
    .array(z.union([z.string(), z.object({ type: z.string(), source: z.string(), target: z.string() }).loose()]))
    .optional(),
  restart: z.string().optional(),
  deploy: z
    .object({ resources: z.object({ limits: z.object({ memory: z.string().regex(/^\d+M$/) }) }) })
    .loose()
    .optional(),
  stop_grace_period: z.string().optional(),
});

const compose = z
  .object({
    services: z.record(z.string(), service),
    configs: z.record(z.string(), z.object({ content: z.string() })),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(readYaml('docker-compose.yml'));
const services = Object.entries(compose.services);

function serviceOf(name: string) {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}

describe('docker-compose.yml', () => {
  it('gives workers every variable that a provider is called with', () => {
    const passed = new Set(readText('deploy/compose/worker.env').split('\n'));
    const wanted = PROVIDERS.filter(({ name }) => name !== 'scripted').flatMap((row) => [
      ...listKeyVariables(row),
      row.baseUrlVariable,
      ...(row.messagesUrlVariable === undefined ? [] : [row.messagesUrlVariable]),
      ...Object.values(row.headerVariables ?? {}),
    ]);
    expect(wanted.length).toBeGreaterThan(40);
    expect(wanted.filter((name) => !passed.has(name))).toEqual([]);
  });

  it('has no value of a variable that it passes on', () => {
    const lines = readText('deploy/compose/worker.env').split('\n');
    expect(lines.filter((line) => !/^(?:#.*|[A-Z][A-Z0-9_]*|)$/.test(line))).toEqual([]);
  });

  it('comes up without files that a fresh clone lacks', () => {
    const files = services.flatMap(([, { env_file: named = [], volumes = [] }]) => [
      ...named.filter(({ required }) => required !== false).map(({ path }) => path),
      ...volumes.flatMap((volume) =>
        typeof volume === 'string' && volume.startsWith('./') ? volume.split(':')[0] : [],
      ),
    ]);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => file !== undefined && !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('waits for services, and mounts configs and volumes, that are there', () => {
    for (const [name, { depends_on: before = {}, configs = [], volumes = [] }] of services) {
      for (const other of Object.keys(before))
        expect(compose.services, `${name} waits for ${other}`).toHaveProperty(other);
      for (const { source } of configs) expect(compose.configs, `config of ${name}`).toHaveProperty(source);
      for (const volume of volumes) {
        const named = typeof volume === 'string' ? /^([a-z]+):/.exec(volume)?.[1] : undefined;
        if (named !== undefined) expect(compose.volumes, `volume of ${name}`).toHaveProperty(named);
      }
    }
  });

  it('waits for the health only of services that have a check', () => {
    const waitedFor = services.flatMap(([, { depends_on: before = {} }]) =>
      Object.entries(before).flatMap(([name, { condition }]) => (condition === 'service_healthy' ? name : [])),
    );
    expect(new Set(waitedFor)).toEqual(new Set(['postgresql', 'temporal']));
    for (const name of waitedFor) expect(serviceOf(name).healthcheck, name).toBeDefined();
  });

  it('offers nothing beyond this machine', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(4);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });

  it('asks a worker for its health where the worker answers', () => {
    const { environment, healthcheck } = serviceOf('worker');
    expect(environment?.['TAUFLOW_HEALTH']).toBe('0.0.0.0:9465');
    expect(healthcheck?.test.at(-1)).toContain('http://127.0.0.1:9465/readyz');
  });

  it('gives a worker the time that its grace takes, and that of what is aborted', () => {
    const { command, stop_grace_period: period } = serviceOf('worker');
    const grace = Number(/--grace (\d+)s/.exec(String(command))?.[1]);
    expect(parseInt(period ?? '', 10)).toBeGreaterThanOrEqual(grace + 30);
  });

  it('bounds the memory of everything that stays, and names the bound to server and workers', () => {
    const megabytesOf = ({ deploy }: (typeof compose.services)[string]) =>
      parseInt(deploy?.resources.limits.memory ?? '', 10);
    const staying = services.filter(([, { restart }]) => restart === 'unless-stopped');
    expect(staying.length).toBeGreaterThan(6);
    expect(staying.filter(([, service]) => Number.isNaN(megabytesOf(service))).map(([name]) => name)).toEqual([]);
    const [server, worker] = [serviceOf('temporal'), serviceOf('worker')];
    expect(parseInt(server.environment?.['GOMEMLIMIT'] ?? '', 10) / megabytesOf(server)).toBeCloseTo(0.85, 1);
    const heap = /^--max-old-space-size=(\d+)$/.exec(worker.environment?.['NODE_OPTIONS'] ?? '')?.[1];
    expect(Number(heap) / megabytesOf(worker)).toBeCloseTo(0.8, 1);
  });

  it('keeps server and tools at one version', () => {
    const versionOf = (name: string) => serviceOf(name).image.split(':')[1];
    expect(versionOf('schema')).toBe(versionOf('temporal'));
    expect(versionOf('namespace')).toBe(versionOf('temporal'));
  });

  it('has the folders of a checkout that the image is built from', () => {
    const text = readText('docker-compose.yml');
    const copied = [...text.matchAll(/^ +COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
    expect(copied).toContain('src');
    expect(copied.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });
});
