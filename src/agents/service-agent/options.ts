/** Options of agent services; each is a flag of `run`. */

import { REQUEST_TIMEOUT_S } from '../../benchmarks/pure.ts';
import { readOptions, type OptionValues } from '../options.ts';
import type { StrategyOption, StrategyOptions } from '../port.ts';

export const SERVICE_OPTIONS = [
  {
    key: 'agentUrl',
    isEssential: true,
    help: 'evaluate a service instead of a strategy: the agent at this URL, or the function in this file',
    value: { kind: 'text' },
    variant: null,
  },
  {
    key: 'agentName',
    help: 'name and version of the agent (default: as GET on its URL says)',
    value: { kind: 'text' },
    variant: '{}',
  },
  {
    key: 'agentProtocol',
    help: 'protocol that the agent speaks; auto: as its URL shows',
    value: { kind: 'choice', choices: ['auto', 'turn', 'a2a'], default: 'auto' },
    variant: null,
  },
  {
    key: 'agentTools',
    help: 'how an A2A agent gets its tools; auto: as its card announces, else text',
    value: { kind: 'choice', choices: ['auto', 'data', 'mcp', 'text'], default: 'auto' },
    variant: 'tools as {}',
  },
  {
    key: 'agentModel',
    help: "model that answers where the agent asks for another (default: --model's, else as asked)",
    value: { kind: 'pairs', of: 'asked', to: 'model' },
  },
  {
    key: 'requestTimeout',
    help: 'seconds that an agent or environment that is a service has for one request',
    value: { kind: 'integer', min: 1, max: 86_400, default: REQUEST_TIMEOUT_S },
  },
  {
    key: 'agentDiverged',
    help: 'fail or restart an episode that its agent lost and repeats in another way',
    value: { kind: 'choice', choices: ['fail', 'restart'], default: 'fail' },
    variant: '{} when the agent diverges',
  },
] as const satisfies readonly StrategyOption[];

export function serviceOptions(options: StrategyOptions): OptionValues<typeof SERVICE_OPTIONS> {
  return readOptions(SERVICE_OPTIONS, options);
}
