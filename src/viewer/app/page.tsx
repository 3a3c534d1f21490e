/** The frame of both pages: a bar with links above the view. */

import type { ComponentChildren } from 'preact';
import { useNavigation } from './navigation.tsx';
import type { Route } from './address.ts';
import { ThemeToggle } from './theme-toggle.tsx';

export interface PageLink {
  readonly name: string;
  readonly route: Route;
  readonly isCurrent: boolean;
}

interface PageProps {
  readonly brand: ComponentChildren;
  /** Name of the links for screen readers. */
  readonly linksName: string;
  readonly links: readonly PageLink[];
  /** Fact on the whole page, such as its date. */
  readonly fact: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Page({ brand, linksName, links, fact, children }: PageProps) {
  const { linkTo } = useNavigation();
  return (
    <>
      <a class="skip-link" href="#content" onClick={skip}>
        Skip to the content
      </a>
      <header class="top-bar">
        {brand}
        <nav aria-label={linksName}>
          {links.map(({ name, route, isCurrent }) => {
            const href = linkTo(route);
            return (
              <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
                {name}
              </a>
            );
          })}
        </nav>
        {fact}
        <ThemeToggle />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Skips to the content; addresses after `#` name views, so a plain link would not. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
