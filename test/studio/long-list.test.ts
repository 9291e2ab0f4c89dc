import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { askingLoops, startAsking, waitingStore } from '../bench/waiting-store.ts';
import { untilWaiting } from '../hosts/local/office.ts';
import { openStudio, type Studio, withoutBrowser } from './browser.ts';
import { enter } from './entered.ts';

const RUNS = 1_300;
const FIRST = 100;
const PAGE = 500;

describe.skipIf(withoutBrowser)(`W2 a long list of runs${withoutBrowser ? `, ${withoutBrowser}` : ''}`, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio.close());

  test('W2 the newest runs are shown at once, older ones by pages, and a change reads the first page', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loopfold-long-list-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
    const path = join(folder, 'log.db');
    await waitingStore(path, folder, RUNS);
    const loops = askingLoops(openSqliteLog(path, { synchronous: 'NORMAL' }));
    onTestFinished(() => loops.log.close());
    const { page, faults } = await enter(studio, { answers: [{ text: 'done' }] }, { loops });
    const asked = askedPages(page);
    await page.getByText(`${FIRST} of ${FIRST}`).waitFor();

    await page.getByRole('button', { name: `${RUNS - FIRST} older` }).click();
    await page.getByText('1000 of 1000').waitFor();
    await page.getByRole('button', { name: `${RUNS - 1_000} older` }).click();
    await page.getByText(`${RUNS} of ${RUNS}`).waitFor();
    const list = page.getByRole('region', { name: 'Runs' });
    const names = (await loops.log.newest(RUNS)).runs.map(({ run }) => run);
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await list.locator(`a[href*="${names.at(-1)}"]`).waitFor();

    await expect
      .poll(() => asked.at(-1))
      .toBe(`/api/runs?limit=${PAGE}&before=${names[RUNS - 1 - ((RUNS - FIRST) % PAGE)]}`);
    asked.splice(0);
    const live = await startAsking(loops, folder);
    onTestFinished(async () => {
      await live.abort('enough');
      await live.done;
    });
    await untilWaiting(live);
    await page.getByText(`${RUNS + 1} of ${RUNS + 1}`).waitFor();
    expect(new Set(asked)).toEqual(new Set([`/api/runs?limit=${FIRST}`]));
    expect(faults).toEqual([]);
  });
});

/** The pages of the list that a page asks its server for from now on. */
function askedPages(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === '/api/runs') asked.push(pathname + search);
  });
  return asked;
}
