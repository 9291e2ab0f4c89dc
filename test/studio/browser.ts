import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { buildStudio } from '../../src/build/studio.ts';
import { studioFiles } from '../../src/http/studio-files.ts';
import { root } from '../repository/tool.ts';

/** Debian's browser, or the one that a variable names. */
const [executablePath] = [process.env['TEST_CHROMIUM'] ?? '', ...globSync('/usr/bin/chromium')].filter(Boolean);

/** Why the tests in a browser are left out, or null. */
export const withoutBrowser: string | null = executablePath === undefined ? 'left out: no Chromium' : null;

/** A browser with a home of its own, and the page as the build makes it. */
export interface Studio {
  readonly browser: Browser;
  readonly page: ReadonlyMap<string, Buffer>;
  readonly close: () => Promise<void>;
}

export async function openStudio(): Promise<Studio> {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-studio-'));
  const built = join(folder, 'page');
  await buildStudio(root, built);
  const page = await studioFiles([`${built}/`]);
  if (!page) throw new Error('the page was not built');
  const environment = { HOME: folder, PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir() };
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox'],
    env: environment,
  });
  const close = async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, page, close };
}

/** What a page asked of other servers, and every error in it. */
export function watched(page: Page, base: string): readonly string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(base)) seen.push(`asked: ${request.url()}`);
  });
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()}`);
  });
  return seen;
}
