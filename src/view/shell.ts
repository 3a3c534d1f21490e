/** The view's page: its script and style, and no data. */

import { contentSecurityPolicy, type ViewerBundle } from '../results/page/index.ts';
import type { Route } from './http.ts';

export function shellRoute(bundle: () => Promise<ViewerBundle>): Route {
  return {
    method: 'GET',
    path: '',
    answer: async () => {
      const { script, style } = await bundle();
      return {
        type: 'text/html',
        version: `${script}${style}`,
        headers: {
          'Content-Security-Policy': contentSecurityPolicy(script, "connect-src 'self'", "frame-ancestors 'none'"),
        },
        text: () => Promise.resolve(pageOf(script, style)),
      };
    },
  };
}

function pageOf(script: string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tauflow</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"><noscript>The view needs JavaScript.</noscript></div>
<script>${script}</script>
</body>
</html>
`;
}
