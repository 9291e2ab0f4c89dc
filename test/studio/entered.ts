import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { htmlRun } from '../../src/app/views/html-run.ts';
import { readExported } from '../../src/app/views/read-exported.ts';
import type { Loops } from '../../src/hosts/local/local-host.ts';
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

/** The address of a file with the page of a run in it. */
export async function exportedFile(studio: Studio, loops: Loops, run: string): Promise<string> {
  const record = await loops.log.run(run);
  const exported = record && (await readExported(loops, record));
  if (!exported) throw new Error('not exported');
  const [script = '', styles = ''] = ['studio.js', 'studio.css'].map((name) => studio.page.get(name)?.toString());
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'run.html');
  await writeFile(file, htmlRun(exported, { script, styles }));
  return pathToFileURL(file).href;
}
