import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, leftWaiting, office, request } from '../hosts/local/office.ts';
import { logNight } from '../loops/improvement/logged-night.ts';
import { witnessedNight } from '../loops/improvement/witnessed-night.ts';
import { root } from '../repository/tool.ts';
import { openStudio, type Studio, withoutBrowser } from './browser.ts';
import { type DemoLog, demoLog } from './demo-log.ts';
import { enter, heading } from './entered.ts';

const AXE = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
const NIGHT = '019abcde-0000-7000-8000-00000000feed';
const SCRIPT = { answers: [{ calls: [ask('Which?', ['tabs', 'blanks'])] }, { text: 'done' }] };
/** What can have the focus on the screen with the fewest: links to the screens, and what scrolls. */
const FEWEST = 4;
/** The demo really runs. */
const SETUP_MS = 240_000;
const TABS = ['chart', 'waterfall', 'evidence', 'diff', 'conversation', 'money', 'events'];

describe.skipIf(withoutBrowser)(`W2 every screen of the page${withoutBrowser ? `, ${withoutBrowser}` : ''}`, () => {
  let studio: Studio;
  let demo: DemoLog;
  let waiting: string;
  let wanting: string;
  beforeAll(async () => {
    [studio, demo] = await Promise.all([openStudio(), demoLog()]);
    await logNight(demo.log, NIGHT, witnessedNight());
    waiting = await leftWaiting(office(SCRIPT, { log: demo.log }));
    wanting = await leftWaiting(office({ answers: [{ calls: [request('/etc/hosts')] }] }, { log: demo.log }));
  }, SETUP_MS);
  afterAll(() => Promise.all([studio.close(), demo.close()]));

  const entered = () => enter(studio, SCRIPT, { loops: office(SCRIPT, { log: demo.log }).loops() });
  /** The addresses of all screens, and what stands there once it is whole. */
  const screens = (): readonly (readonly [path: string, shows: string])[] => [
    ['runs', 'Runs'],
    ['inbox', 'Inbox'],
    ['lab', 'Lab'],
    [`lab/${demo.success}`, 'Lab'],
    ['start', 'Start'],
    [`compare/${demo.success},${waiting}`, 'Compare'],
    ...TABS.map((tab) => [`run/${demo.success}/${tab}`, 'success'] as const),
    [`run/${waiting}/chart`, 'waits for you'],
    [`run/${wanting}/chart`, 'waits for you'],
    [`run/${NIGHT}/report`, 'success'],
  ];

  test.each(['light', 'dark'] as const)('W2 axe finds nothing on any screen, in %s', async (colorScheme) => {
    const { page, base } = await entered();
    await page.emulateMedia({ colorScheme });
    const found: [string, unknown][] = [];
    for (const [path, shows] of screens()) {
      await shown(page, base, path, shows);
      await page.evaluate(AXE);
      const violations = await page.evaluate(
        'axe.run().then((told) => told.violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html)))',
      );
      if ((violations as unknown[]).length > 0) found.push([path, violations]);
    }
    expect(found).toEqual([]);
  });

  test('W2 every link, button and field of every screen is reached by Tab alone, and seen when it is', async () => {
    const { page, base } = await entered();
    const missed: [string, unknown][] = [];
    for (const [path, shows] of screens()) {
      await shown(page, base, path, shows);
      const there = (await page.evaluate(NAME_FOCUSABLE)) as readonly string[];
      expect(there.length).toBeGreaterThan(FEWEST);
      const reached = new Set<unknown>();
      for (let tabs = 0; tabs < there.length + 2; tabs += 1) {
        await page.keyboard.press('Tab');
        reached.add(await page.evaluate(FOCUSED));
      }
      const left = there.filter((name) => !reached.has(name));
      if (left.length > 0) missed.push([path, left]);
    }
    expect(missed).toEqual([]);
  });

  test('W2 a run is started by keys alone', async () => {
    const { page, faults } = await entered();
    await heading(page, 'Runs').waitFor();
    await page.keyboard.press('s');
    await heading(page, 'Start').waitFor();
    await tabTo(page, 'Task');
    await page.keyboard.type('Do it by keys.');
    await tabTo(page, 'Show what it begins with');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'It begins with' }).waitFor();
    await tabTo(page, 'Start', 'button');
    await page.keyboard.press('Enter');
    await page.getByText('Do it by keys.').first().waitFor();
    await page.getByText('waits for you').first().waitFor();
    expect(faults).toEqual([]);
  });
});

async function shown(page: Page, base: string, path: string, shows: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${base}/#/${path}`);
  await heading(page, new RegExp(shows)).waitFor();
  if (path.startsWith('run/')) await page.getByRole('navigation', { name: 'Views of the run' }).waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
}

/** Names what can be focused and is seen, each by a number and its text. */
const NAME_FOCUSABLE = `(() => {
  const all = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')];
  const seen = all.filter((one) => !one.disabled && one.checkVisibility({ visibilityProperty: true }));
  const textOf = (one) => (one.textContent || one.ariaLabel || one.tagName).slice(0, 40);
  return seen.map((one, index) => (one.dataset.name = index + ' ' + textOf(one)));
})()`;

/** The name of what has the focus. Null: it cannot be seen that it has it. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const { outlineStyle, boxShadow } = getComputedStyle(one);
  return outlineStyle !== 'none' || boxShadow !== 'none' ? one.dataset.name : null;
})()`;

const MAX_TABS = 60;

/** Presses Tab until what has this label or text has the focus. */
async function tabTo(page: Page, name: string, tag = ''): Promise<void> {
  const told = `((one) => [one.tagName.toLowerCase(), (one.labels?.[0]?.firstChild ?? one).textContent.trim()])(
    document.activeElement
  )`;
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    const [is, text] = (await page.evaluate(told)) as [string, string];
    if (text === name && (tag === '' || is === tag)) return;
  }
  throw new Error(`${MAX_TABS} tabs have not led to ${name}`);
}
