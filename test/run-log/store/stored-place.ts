/** A place with an S3 server, for runs by processes that share no folder: each machine has a cache of its own. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFolder, tauflow, type Ended } from '../../cli/in-process.ts';
import { Place } from '../../durability/place.ts';
import type { Surroundings } from '../../durability/processes.ts';
import { startMoto, startProxy, storeEnv, type Proxy, type Running } from '../sync/moto.ts';

export class StoredPlace {
  /** Log folder of the runs. */
  readonly address = 's3://runs/team/nightly';
  readonly place: Place;
  readonly moto: Running;
  /** Proxy before the S3 server. */
  readonly proxy: Proxy;
  readonly env: Readonly<Record<string, string>>;

  private constructor(place: Place, moto: Running, proxy: Proxy) {
    this.place = place;
    this.moto = moto;
    this.proxy = proxy;
    this.env = storeEnv(proxy);
    // Amazon's client reads credentials from the process.
    Object.assign(process.env, this.env);
  }

  /** @param python has moto's server */
  static async make(python: string | null): Promise<StoredPlace> {
    const moto = await startMoto(python ?? '');
    const proxy = await startProxy(moto.address);
    await fetch(`${moto.address}/runs`, { method: 'PUT' });
    return new StoredPlace(await Place.make(), moto, proxy);
  }

  /** Surroundings of a machine of its own. @param url of the scripted model */
  machine(name: string, url: string): Surroundings {
    const home = join(this.place.folder, name);
    mkdirSync(home, { recursive: true });
    const surroundings = this.place.surroundings(url);
    return { ...surroundings, env: { ...surroundings.env, ...this.env, TAUFLOW_HOME: home } };
  }

  /** A machine that is new to the store and the server, for commands in this process. */
  laptop(): (...words: string[]) => Promise<Ended> {
    const surroundings = { cwd: scratchFolder(), env: { ...this.env, TAUFLOW_HOME: scratchFolder() } };
    return (...words) => tauflow([...words, '--log-dir', this.address], surroundings);
  }

  async clear(): Promise<void> {
    await this.place.clear();
    await this.proxy.close();
    await this.moto.close();
  }
}
