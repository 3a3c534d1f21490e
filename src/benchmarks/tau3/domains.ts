/** τ³-bench's domains. A new one is a folder and a name in the list. */

import type { Domain, Tool } from '../domain.ts';
import { isDict } from '../python/index.ts';
import { airline } from './airline/index.ts';
import { callTool } from './call.ts';
import type { Tau3Domain } from './domain.ts';
import { retail } from './retail/index.ts';
import { telecom } from './telecom/index.ts';
import type { Tau3Tool } from './tool.ts';

export const tau3Domains: ReadonlyMap<string, Tau3Domain> = new Map(
  [retail, airline, telecom].map((domain) => [domain.name, domain]),
);

export const domains: ReadonlyMap<string, Domain> = new Map(
  Array.from(tau3Domains, ([name, domain]) => [name, asDomain(domain)]),
);

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
