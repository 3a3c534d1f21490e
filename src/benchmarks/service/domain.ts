/** Names of domains of environment services, `shop:orders`, and a placeholder for their code. */

import type { Domain } from '../domain.ts';

/** Separator between the service's name and its name of the domain. */
const SEPARATOR = ':';

/** Default time limit of a request to a service, in seconds; an agent may make many model calls during it. */
export const REQUEST_TIMEOUT_S = 1_800;

export function isServiceDomain(domain: string): boolean {
  return domain.includes(SEPARATOR);
}

export function joinDomain(service: string, domain: string): string {
  return `${service}${SEPARATOR}${domain}`;
}

/** @returns the service's name (null if only the domain is named) and its domain */
export function splitDomain(name: string): { readonly service: string | null; readonly domain: string } {
  const at = name.indexOf(SEPARATOR);
  return at < 0 ? { service: null, domain: name } : { service: name.slice(0, at), domain: name.slice(at + 1) };
}

/** A domain whose data and tools are in the service, so that this program cannot call them. */
export const SERVICE_DOMAIN: Domain = {
  tables: [],
  tools: new Map(),
  call: (_, { name }) => {
    throw new Error(`${name} is answered by the environment service alone`);
  },
};
