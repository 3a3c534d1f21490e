/** Manifests against the schemas of their kinds: Kubernetes' own, and those of the two operators as far as they are used. */

import { Deployment } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Command } from 'commander';
import { defineWorkerCommand } from '../../src/cli/commands/testing.ts';
import type { CliContext } from '../../src/cli/testing.ts';
import { parseDocuments, readDocuments, readText, readYaml } from './files.ts';

interface Validated {
  validate(): void;
}

const MODELS: Readonly<Record<string, new (data: never) => Validated>> = {
  'apps/v1 Deployment': Deployment,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 PersistentVolumeClaim': PersistentVolumeClaim,
};

const name = z.strictObject({ name: z.string() });
const metadata = z.strictObject({ name: z.string(), namespace: z.string().optional() });

const trigger = z.strictObject({
  endpoint: z.string().regex(/^[\w.-]+:\d+$/),
  namespace: z.string(),
  taskQueue: z.string(),
  queueTypes: z.enum(['workflow', 'activity', 'workflow,activity']),
  targetQueueSize: z.string().regex(/^\d+$/),
});

/** Specification of a ScaledObject, of whichever target and triggers. */
const scaling = <Target extends z.ZodType, Trigger extends z.ZodType>(target: Target, metadata: Trigger) =>
  z.strictObject({
    scaleTargetRef: target,
    minReplicaCount: z.int().positive(),
    maxReplicaCount: z.int().positive(),
    cooldownPeriod: z.int(),
    triggers: z.array(z.strictObject({ type: z.literal('temporal'), metadata })).min(1),
  });

/** Schema of KEDA 2.17 and later. */
const scaledObject = z.strictObject({
  apiVersion: z.literal('keda.sh/v1alpha1'),
  kind: z.literal('ScaledObject'),
  metadata,
  spec: scaling(name, trigger),
});

/** Schema of Temporal's Worker Controller 1.7 and later. */
const connection = z.strictObject({
  apiVersion: z.literal('temporal.io/v1alpha1'),
  kind: z.literal('Connection'),
  metadata,
  spec: z.strictObject({ hostPort: z.string().regex(/^[a-zA-Z0-9.-]+:[0-9]+$/) }),
});

const duration = z.string().regex(/^\d+[smh]$/);

/** That of a Deployment, see {@link check}. */
const podTemplate = z.strictObject({ spec: z.record(z.string(), z.unknown()) });

const workerDeployment = z.strictObject({
  apiVersion: z.literal('temporal.io/v1alpha1'),
  kind: z.literal('WorkerDeployment'),
  metadata,
  spec: z.strictObject({
    replicas: z.int(),
    workerOptions: z.strictObject({ connectionRef: name, temporalNamespace: z.string() }),
    rollout: z.strictObject({ strategy: z.enum(['Manual', 'AllAtOnce', 'Progressive']) }),
    sunset: z.strictObject({ scaledownDelay: duration, deleteDelay: duration }),
    template: podTemplate,
  }),
});

/** Fields that the controller fills in for each build have to be there, and empty. */
const filledIn = z.literal('');

/** Schema of the controller 1.8 and later, which knows KEDA's triggers. */
const workerResourceTemplate = z.strictObject({
  apiVersion: z.literal('temporal.io/v1alpha1'),
  kind: z.literal('WorkerResourceTemplate'),
  metadata,
  spec: z.strictObject({
    workerDeploymentRef: name,
    template: z.strictObject({
      apiVersion: z.literal('keda.sh/v1alpha1'),
      kind: z.literal('ScaledObject'),
      spec: scaling(
        z.strictObject({}),
        trigger.extend({ namespace: filledIn, workerDeploymentName: filledIn, workerDeploymentBuildId: filledIn }),
      ),
    }),
  }),
});

const OPERATORS: Readonly<Record<string, z.ZodType>> = {
  'keda.sh/v1alpha1 ScaledObject': scaledObject,
  'temporal.io/v1alpha1 Connection': connection,
  'temporal.io/v1alpha1 WorkerDeployment': workerDeployment,
  'temporal.io/v1alpha1 WorkerResourceTemplate': workerResourceTemplate,
};

const KUSTOMIZATION = z
  .object({ resources: z.array(z.string()), configMapGenerator: z.array(z.object({ envs: z.array(z.string()) })) })
  .parse(readYaml('deploy/kubernetes/kustomization.yaml'));
const FILES = [...KUSTOMIZATION.resources, 'worker-deployment.yaml', 'worker-deployment-autoscaling.yaml'];

const named = z.object({ apiVersion: z.string(), kind: z.string() });

/** @throws where the document is not of its kind's schema */
function check(document: unknown): void {
  const { apiVersion, kind } = named.parse(document);
  const name = `${apiVersion} ${kind}`;
  const Model = MODELS[name];
  if (Model !== undefined) checkModel(new Model(document as never));
  else if (OPERATORS[name] !== undefined) OPERATORS[name].parse(document);
  else throw new Error(`no schema of ${name}`);
  if (kind === 'WorkerDeployment') {
    const { template } = workerDeployment.parse(document).spec;
    check({ apiVersion: 'apps/v1', kind: 'Deployment', spec: { selector: {}, template } });
  }
}

/**
 * Kubernetes' models accept fields that their schemas do not have, and `kubectl` does not. A schema's validator reads
 * every field that the schema has, so that the others are those that it has not read.
 */
function checkModel(model: Validated): void {
  const unread = new Set<string>();
  (watchReads(model, '', unread) as Validated).validate();
  if (unread.size > 0) throw new Error(`unknown fields: ${[...unread].join(', ')}`);
}

/** @param unread paths of the fields that nobody has read yet */
function watchReads(value: object, path: string, unread: Set<string>): object {
  const parts = new Map<string | symbol, object>();
  for (const key of Object.keys(value)) unread.add(`${path}/${key}`);
  return new Proxy(value, {
    get(target, key) {
      unread.delete(`${path}/${String(key)}`);
      const part: unknown = Reflect.get(target, key);
      if (typeof part !== 'object' || part === null) return part;
      const watched = parts.get(key) ?? watchReads(part, `${path}/${String(key)}`, unread);
      parts.set(key, watched);
      return watched;
    },
  });
}

describe.each(FILES)('deploy/kubernetes/%s', (file) => {
  it('is of the schemas of its kinds', () => {
    const documents = readDocuments(`deploy/kubernetes/${file}`);
    expect(documents.length).toBeGreaterThan(0);
    for (const document of documents) check(document);
  });
});

describe('the schemas', () => {
  it.each([
    ['worker.yaml', 'replicas: 2', 'replicas: two', /replicas/],
    ['worker.yaml', 'selector:', 'selectors:', /selector/],
    ['worker.yaml', 'failureThreshold: 24', 'failureTreshold: 24', /unknown fields: .*startupProbe\/failureTreshold$/],
    ['worker.yaml', 'maxUnavailable', 'maxUnavailabel', /unknown fields: \/spec\/maxUnavailabel$/],
    ['run-logs.yaml', 'storage: 20Gi', 'storage: many', /storage/],
    ['autoscaling.yaml', 'targetQueueSize', 'queueSize', /queueSize/],
    ['worker-deployment.yaml', 'scaledownDelay', 'scaleDownDelay', /scaleDownDelay/],
    ['worker-deployment.yaml', 'runAsNonRoot', 'runAsNotRoot', /unknown fields: .*securityContext\/runAsNotRoot$/],
    ['worker-deployment-autoscaling.yaml', 'scaleTargetRef: {}', 'scaleTargetRef: { name: one }', /name/],
  ])('refuse %s with "%s" spelled "%s"', (file, right, wrong, message) => {
    const text = readText(`deploy/kubernetes/${file}`);
    expect(text).toContain(right);
    const documents = parseDocuments(text.replace(right, wrong));
    expect(() => {
      for (const document of documents) check(document);
    }).toThrow(message);
  });
});

const pod = z.object({
  terminationGracePeriodSeconds: z.number(),
  containers: z.tuple([
    z.looseObject({
      args: z.array(z.string()),
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
      volumeMounts: z.array(z.object({ name: z.string() })),
    }),
  ]),
  volumes: z.array(z.looseObject({ name: z.string() })),
});

function podOf(file: string) {
  const documents = readDocuments(`deploy/kubernetes/${file}`) as { spec?: { template?: { spec: unknown } } }[];
  return pod.parse(documents.find(({ spec }) => spec?.template !== undefined)?.spec?.template?.spec);
}

describe.each(['worker.yaml', 'worker-deployment.yaml'])('the pod of %s', (file) => {
  const { containers, volumes, terminationGracePeriodSeconds } = podOf(file);
  const [{ args, env, ports, volumeMounts }] = containers;

  it('has arguments that the worker takes', async () => {
    const command = new Command('worker').exitOverride();
    defineWorkerCommand(command, { env: {}, cwd: '/' } as unknown as CliContext);
    const taken: unknown[] = [];
    command.action((flags: unknown) => void taken.push(flags));
    await command.parseAsync(args.slice(1), { from: 'user' });
    expect(args[0]).toBe('worker');
    expect(taken).toMatchObject([{ grace: '60s', logDir: ['/results'] }]);
  });

  it('ends after the grace of its calls, and the time of what is aborted', () => {
    const grace = parseInt(args[args.indexOf('--grace') + 1] ?? '', 10);
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(grace + 30);
  });

  it('is probed and scraped where it answers', () => {
    for (const [name, variable] of [
      ['health', 'TAUFLOW_HEALTH'],
      ['metrics', 'TAUFLOW_METRICS'],
    ] as const) {
      const port = ports.find((each) => each.name === name)?.containerPort;
      expect(env.find((each) => each.name === variable)?.value).toBe(`0.0.0.0:${String(port)}`);
    }
  });

  it('mounts the volumes that it has', () => {
    expect(volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.map(({ name }) => name).sort());
  });
});

it('both pods differ only in where the server and the image are', () => {
  const [first, second] = [podOf('worker.yaml'), podOf('worker-deployment.yaml')].map(
    ({ containers: [container], ...rest }) => {
      const { image: _, envFrom: __, ...same } = container;
      return { ...rest, container: same };
    },
  );
  expect(second).toEqual(first);
});
