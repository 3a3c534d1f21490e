/** A working folder with its own TAUFLOW_HOME, its own Temporal server and its own run logs. */

import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import getPort from 'get-port';

import { findBinary, findOrStart, type Ports } from '../../src/temporal/server/testing.ts';
import { findServer, stopServer, type LocalServer } from '../../src/temporal/server/index.ts';
import { testEnvironment, testHome } from '../helpers/temporal-environment.ts';
import { endProcesses, killProcess, type Surroundings } from './processes.ts';

export class Place {
  readonly folder: string;
  readonly #env: Readonly<Record<string, string | undefined>>;

  readonly #program: readonly string[] | undefined;

  private constructor(folder: string, cli: string, program: readonly string[] | undefined) {
    this.folder = folder;
    this.#program = program;
    const home = join(folder, 'home');
    this.#env = { ...testEnvironment(), TAUFLOW_HOME: home, TEMPORAL_CLI_PATH: cli, TAUFLOW_SCRIPTED_URL: '' };
  }

  /**
   * The server gets ports that nothing else is after, so that they are free again when it is killed.
   * @param program starts the program @default that of the build
   */
  static async make(program?: readonly string[]): Promise<Place> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'tauflow-durability-')));
    const { path } = await findBinary({ home: testHome(), env: testEnvironment() });
    const place = new Place(folder, path, program);
    await mkdir(place.home);
    await place.startServer({ port: await getPort(), uiPort: await getPort() });
    return place;
  }

  get home(): string {
    return join(this.folder, 'home');
  }

  /** @param scriptedUrl of the scripted model that calls go to */
  surroundings(scriptedUrl = ''): Surroundings {
    return {
      cwd: this.folder,
      env: { ...this.#env, TAUFLOW_SCRIPTED_URL: scriptedUrl },
      ...(this.#program === undefined ? {} : { program: this.#program }),
    };
  }

  server(): Promise<LocalServer | null> {
    return findServer(this.folder);
  }

  /** @param ports @default those that it had before */
  async startServer(ports?: Ports): Promise<void> {
    const { folder: workDir, home } = this;
    await findOrStart({ workDir, home, env: this.#env, ...(ports === undefined ? {} : { ports }) });
  }

  async killServer(): Promise<void> {
    const server = await this.server();
    if (server === null) throw new Error('there is no server to kill');
    await killProcess(server.pid);
  }

  stopServer(): Promise<number | null> {
    return stopServer(this.folder);
  }

  /** Ends all that was started in it, and removes it, where it is not to be kept. */
  async clear({ keep = false } = {}): Promise<void> {
    await endProcesses();
    await stopServer(this.folder);
    if (!keep) await rm(this.folder, { recursive: true, force: true });
  }
}
