/** The bar at the top: the shown run, the others, and the theme. */

import type { Payload } from '../results/page/index.ts';
import { ThemeToggle } from './parts/theme-toggle.tsx';
import { useNavigation } from './place.tsx';

export function TopBar({ payload }: { readonly payload: Payload }) {
  const { place, linkTo } = useNavigation();
  const { route } = place;
  const { runs, asOf } = payload;
  const shown = route.page === 'compare' ? null : route.run;
  return (
    <header class="top-bar">
      <span class="brand">
        <span aria-hidden="true">τ</span> Tauflow<span class="brand-rest"> report</span>
      </span>
      <nav aria-label="Runs">
        {runs.length > 1 ? (
          <a href={linkTo({ page: 'compare' })} aria-current={shown === null ? 'page' : undefined}>
            Compare
          </a>
        ) : null}
        {runs.map(({ subject }, run) => (
          <a key={run} href={linkTo({ page: 'run', run })} aria-current={shown === run ? 'page' : undefined}>
            {subject.runId}
          </a>
        ))}
      </nav>
      {asOf === null ? null : (
        <time class="as-of" dateTime={asOf} title={`The newest episode ended at ${asOf}`}>
          {asOf.slice(0, 10)}
        </time>
      )}
      <ThemeToggle />
    </header>
  );
}
