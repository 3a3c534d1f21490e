/** Where the airline's families find customers and reservations. */

import { Stage, type StageParts } from '../../tasks/stage.ts';
import type { Plot } from '../../tasks/plot.ts';
import type { Airline, Customer, Reservation } from '../model.ts';
import { AirlineScript } from './script.ts';

export type AirlinePlot = Plot<Customer>;
export type AirlineFamily = (stage: AirlineStage) => AirlinePlot | undefined;

export class AirlineStage extends Stage<Airline> {
  readonly #script: AirlineScript | undefined;

  /** @param script of a conversation that has begun with another goal */
  constructor(parts: StageParts<Airline>, script?: AirlineScript) {
    super(parts);
    this.#script = script;
  }

  /** A script in which the agent has looked the profile up. */
  begin(customer: Customer): AirlineScript {
    const script = this.#script ?? new AirlineScript();
    script.readUser(customer);
    return script;
  }

  /** A random one of what `options` gives for a random reservation. */
  fromReservation<T>(options: (reservation: Reservation) => readonly T[]): readonly [Reservation, T] | undefined {
    return this.search(this.world.reservations, options);
  }

  /** A random one of what `options` gives for a random customer. */
  fromCustomer<T>(options: (customer: Customer) => readonly T[]): readonly [Customer, T] | undefined {
    return this.search(this.world.customers, options);
  }
}
