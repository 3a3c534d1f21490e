/**
 * One Temporal server for the whole test run, in a folder of its own, and one bundle of the workflows; tests take them
 * with `inject('temporal')` and `inject('workflowBundle')`.
 *
 * Tests keep apart by task queue and workflow id. A test that kills servers starts its own.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { connect, ensureSearchAttributes } from '../../src/temporal/client/index.ts';
import { writeBundle } from '../../src/temporal/worker/testing.ts';
import { stopServer } from '../../src/temporal/server/index.ts';
import { testEnvironment, testHome } from './temporal-environment.ts';

export interface ProvidedTemporal {
  /** `host:port`. */
  readonly address: string;
  /** Its search attributes are registered. */
  readonly namespace: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    temporal: ProvidedTemporal;
    /** File with the workflows' bundle. */
    workflowBundle: string;
  }
}

/** Called by vitest before the first test. @returns what it calls after the last */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workDir = await mkdtemp(join(tmpdir(), 'tauflow-tests-'));
  const teardown = async () => {
    await stopServer(workDir);
    await rm(workDir, { recursive: true, force: true });
  };
  try {
    const workflowBundle = join(workDir, 'workflows.cjs');
    const bundling = writeBundle(workflowBundle);
    const onProgress = (line: string) => process.stderr.write(`${line}\n`);
    const { connection, address, namespace, close } = await connect({
      workDir,
      home: testHome(),
      env: testEnvironment(),
      onProgress,
    });
    await ensureSearchAttributes(connection, namespace);
    await close();
    await bundling;
    project.provide('temporal', { address, namespace });
    project.provide('workflowBundle', workflowBundle);
  } catch (error) {
    await teardown();
    throw error;
  }
  return teardown;
}
