/** Entry point for `tauflow env check`. */

import { UnreachableError, UsageError, onError } from '../../../errors/index.ts';
import type { CheckFinding } from '../../../io/index.ts';
import { openService, type ServiceDeps } from '../open.ts';
import { EnvironmentServiceError, OUTAGE_ADVICE, type ServiceDomain, type ServiceSource } from '../port.ts';
import { checkEnvironment } from './checks.ts';

interface CheckedService extends ServiceDeps, Pick<ServiceDomain, 'options'> {
  readonly source: ServiceSource;
  /** Name of the service in messages. */
  readonly label: string;
  /** Domain to check. @default the service's first domain */
  readonly domain?: string;
}

/**
 * Checks an environment service, and reports each finding at once.
 * @throws UnreachableError if nothing answers; UsageError for a wrong domain, or if it is not a service
 */
export async function checkService(
  { source, label, domain: asked, options, env }: CheckedService,
  onFinding: (finding: CheckFinding) => void,
): Promise<void> {
  const service = await openService(source, { env }).catch(
    onError(({ fault, message }) => {
      if (fault === 'outage') throw new UnreachableError(`${message}${OUTAGE_ADVICE}`);
      throw new UsageError(`${message}.`);
    }, EnvironmentServiceError),
  );
  const { domains } = service.description;
  const domain = asked ?? domains[0] ?? '';
  if (!domains.includes(domain)) {
    throw new UsageError(`--env ${domain} is no domain of ${label}; it has ${domains.join(', ')}.`);
  }
  // Names of episodes differ between checks, so that a service cannot know them from an earlier one.
  await checkEnvironment(service, { domain, options }, Date.now().toString(36), onFinding);
}
