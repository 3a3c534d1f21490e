/** The app of `tauflow view` in a browser, and what the browser complains of. */

import type { Browser } from 'playwright-core';

import { loadBundle } from '../../../src/web/bundle.ts';
import { startView } from '../viewed.ts';
import type { OpenedPage, PageOptions } from './open-page.ts';

/** @param hash where in the app, with its `#` */
export async function openApp(
  browser: Browser,
  logDir: string,
  hash = '',
  options: PageOptions = {},
): Promise<OpenedPage & { readonly url: string }> {
  const { url } = await startView(logDir, { bundle: loadBundle });
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`${url}/${hash}`);
  return { page, complaints, url };
}
