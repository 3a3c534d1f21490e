/** A report in a browser, and what the browser complains of. */

import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';

export type PageOptions = NonNullable<Parameters<Browser['newPage']>[0]>;

export interface OpenedPage {
  readonly page: Page;
  /** Errors of the script, lines on the console, and requests for anything but files; a test expects none. */
  readonly complaints: string[];
}

/** @param hash where in the page, with its `#` */
export async function openPage(
  browser: Browser,
  file: string,
  hash: string,
  options: PageOptions = {},
): Promise<OpenedPage> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(`${pathToFileURL(file).href}${hash}`);
  return { page, complaints };
}

/** A page draws after the event, on a busy machine some time after: what is expected is waited for. */
export const PATIENCE = { timeout: 20_000, interval: 50 };

export async function expectText(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).first().waitFor(PATIENCE);
}
