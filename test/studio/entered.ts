import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { served } from '../http/served.ts';
import { type Studio, watched } from './browser.ts';

/** What does not come within it does not come. */
const WAIT_MS = 15_000;

/** A page that has entered, and the server that it comes from. */
export async function enter(
  studio: Studio,
  script: Parameters<typeof served>[0],
  more: Parameters<typeof served>[1] = {},
) {
  const { server, ...rest } = await served(script, { page: studio.page, ...more });
  const context = await studio.browser.newContext({ viewport: { width: 1_280, height: 800 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const faults = watched(page, rest.base);
  await page.goto(server.address());
  return { ...rest, server, context, page, faults };
}

export const heading = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name, level: 1 });
