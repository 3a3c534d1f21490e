/** The registry of domains. A new one of tau-bench is a folder and a line here; those of τ³-bench have their own. */

import { airline } from './tau-bench/airline/index.ts';
import { retail } from './tau-bench/retail/index.ts';
import type { Domain, Tool } from './domain.ts';
import { isDict } from './python/index.ts';
import { callTool, tau3Domains, type Tau3Domain, type Tau3Tool } from './tau3/index.ts';

export const domains: ReadonlyMap<string, Domain> = new Map([
  ['retail', retail],
  ['airline', airline],
  ...Array.from(tau3Domains, ([name, domain]) => [name, asDomain(domain)] as const),
]);

/** @throws Error when the program has no code for the domain */
export function getDomain(name: string): Domain {
  const domain = domains.get(name);
  if (domain === undefined) {
    const known = Array.from(domains.keys()).join(', ');
    throw new Error(`there is no domain named "${name}"; use a pack of one of these domains: ${known}`);
  }
  return domain;
}

function asDomain(domain: Tau3Domain): Domain {
  const sides = domain.user === undefined ? [domain.assistant] : [domain.assistant, domain.user];
  const tools = sides.flatMap((side) => Array.from(side.tools.values()));
  return {
    tables: sides.flatMap(({ database }) => database.map(({ table }) => table)),
    tools: new Map(tools.map((tool) => [tool.name, asTool(domain, tool)])),
    call: (store, { requestor, name, kwargs }) =>
      callTool(domain, store, { requestor: requestor ?? 'assistant', name, arguments: kwargs }),
    initialise(store, task) {
      const initialState = task.get('initial_state');
      if (isDict(initialState)) domain.initialise?.(store, initialState);
    },
  };
}

function asTool(domain: Tau3Domain, { name, requestor, parameters }: Tau3Tool): Tool {
  return {
    name,
    parameters: parameters.map((parameter) => parameter.name),
    invoke: (store, args) =>
      callTool(domain, store, { requestor, name, arguments: new Map(Object.entries(args)) }).observation,
  };
}
