/** The app in a browser, of a report's file or of a server, and what the browser complains of. */

import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';

import { startView } from '../viewed.ts';
import { loadBundle } from '../../../src/viewer/testing.ts';

type PageOptions = NonNullable<Parameters<Browser['newPage']>[0]>;

interface OpenedPage {
  readonly page: Page;
  /** Errors of the script, lines on the console, and requests for anything else; a test expects none. */
  readonly complaints: string[];
}

/** @param hash where in the page, with its `#` */
export function openReport(browser: Browser, file: string, hash: string, options: PageOptions = {}) {
  return open(browser, `${pathToFileURL(file).href}${hash}`, 'file:', options);
}

/** @param hash where in the app, with its `#` */
export async function openView(
  browser: Browser,
  logDir: string,
  hash = '',
  options: PageOptions = {},
): Promise<OpenedPage & { readonly url: string }> {
  const { url } = await startView(logDir, { bundle: loadBundle });
  return { ...(await open(browser, `${url}/${hash}`, `${url}/`, options)), url };
}

async function open(browser: Browser, url: string, own: string, options: PageOptions): Promise<OpenedPage> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** A page draws after the event, on a busy machine some time after: what is expected is waited for. */
export const PATIENCE = { timeout: 20_000, interval: 50 };

export async function expectText(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).first().waitFor(PATIENCE);
}
