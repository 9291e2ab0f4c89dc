import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ask, leftWaiting, office } from '../hosts/local/office.ts';
import { served } from '../http/served.ts';
import { openStudio, type Studio, watched, withoutBrowser } from './browser.ts';
import { enter, exportedFile, heading } from './entered.ts';

const FIRST_VIEW_BYTES = 60 * 1_024;
const ALL_BYTES = 120 * 1_024;

/** Everything that a text can try in a page, without a policy. */
const HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script></script><svg onload=alert(1)>';
const SCRIPT = {
  answers: [{ text: HOSTILE, calls: [ask(`Which? ${HOSTILE}`, ['tabs', HOSTILE])] }, { text: `done ${HOSTILE}` }],
};

describe.skipIf(withoutBrowser)(`W2 the page in a browser${withoutBrowser ? `, ${withoutBrowser}` : ''}`, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(() => studio.close());

  const entered = (script: Parameters<typeof enter>[1] = SCRIPT) => enter(studio, script);

  test('W2 a run is started, answered and read in the page, screen by screen, and no text is mark-up', async () => {
    const { page, faults, log } = await entered();
    await heading(page, 'Runs').waitFor();
    await page.getByRole('link', { name: 'Start' }).first().click();
    await page.getByRole('textbox', { name: 'Task' }).fill(`Do it. ${HOSTILE}`);
    await page.getByRole('button', { name: 'Show what it begins with' }).click();
    await page.getByRole('heading', { name: 'It begins with' }).waitFor();
    expect(await log.runs()).toEqual([]);
    await page.getByRole('button', { name: 'Start', exact: true }).click();

    await page.getByText('waits for you').first().waitFor();
    await page.getByRole('link', { name: 'Inbox (1)' }).click();
    const question = page.getByRole('region', { name: /Question of run/ });
    await question.press('1');
    expect(await question.getByRole('textbox', { name: 'Answer' }).inputValue()).toBe('tabs');
    await question.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('No run waits for a person.').waitFor();

    await page.keyboard.press('r');
    const list = page.getByRole('region', { name: 'Runs' });
    await list.getByRole('link').first().waitFor();
    await list.press('Enter');
    await heading(page, /success/).waitFor();
    const story = page.getByRole('complementary', { name: 'Story' });
    await story.getByText('done <img').first().waitFor();
    for (const [key, name] of ['Chart', 'Waterfall', 'Evidence', 'Diff', 'Conversation', 'Money', 'Events'].entries()) {
      await page.keyboard.press(String(key + 1));
      await page
        .getByRole('navigation', { name: 'Views of the run' })
        .locator('[aria-current=page]', { hasText: name })
        .waitFor();
    }
    await page.keyboard.press('5');
    await page.getByText(HOSTILE).first().waitFor();
    expect(await page.title()).toBe('loopfold Studio');
    // A run of one folder that is no repository has no change.
    expect(faults.filter((fault) => !/status of 409/.test(fault))).toEqual([]);
  });

  test('W2 the scrubber shows the state of every version, and the address keeps it', async () => {
    const { page, start, loops } = await entered({ answers: [{ text: 'It is done.' }] });
    const live = await start();
    await live.done;
    await page.goto(`${new URL(page.url()).origin}/#/run/${live.run}/chart`);
    const slider = page.getByRole('slider', { name: 'Version' });
    await slider.waitFor();
    await page.getByRole('img', { name: /turn/ }).waitFor();
    const head = Number(await slider.getAttribute('max'));
    await slider.focus();
    for (let version = head - 1; version >= 1; version -= 1) {
      await page.keyboard.press('ArrowLeft');
      const state = await loops.rebuild(live.run, version);
      const value = state.kind === 'loaded' ? state.state.snapshot.value : null;
      const [top = ''] = typeof value === 'string' ? [value] : Object.keys(Object(value));
      await page
        .getByRole('status')
        .filter({ hasText: new RegExp(`is in ${top}`) })
        .waitFor();
      expect(await page.locator('.box.active').count()).toBeGreaterThan(0);
    }
    expect(page.url()).toMatch(/\?at=1$/);
  });

  test('W2 the page follows a run that another process answers, and an approval in it needs its digest', async () => {
    const { page, post, get } = await entered();
    const { run } = (await (await post('/api/runs', { prompt: 'Do it.' })).json()) as { run: string };
    await page.goto(`${new URL(page.url()).origin}/#/run/${run}/chart`);
    await page.getByText('waits for you').first().waitFor();
    await post(`/api/runs/${run}/answer`, { text: 'tabs' });
    await heading(page, /success/).waitFor();
    await expect.poll(async () => (await get(`/api/runs/${run}`)).standing.asks).toBe(0);
  });

  test('W2 a run that repeated itself leads to what it has repeated, and goes on under other detectors', async () => {
    const again = { calls: [{ tool: 'read', arguments: { path: 'absent.txt' } }] };
    const { page, start, base } = await entered({ answers: [again, again, again, again] });
    const live = await start({ tools: ['read'] });
    await live.done;
    await page.goto(`${base}/#/run/${live.run}/chart`);
    await heading(page, /doom_loop/).waitFor();
    await page.getByRole('link', { name: 'Read what was repeated, and change the task' }).click();
    await page.getByText('absent.txt').first().waitFor();
    expect(page.url()).toMatch(/\/conversation$/);
    await page.getByRole('textbox', { name: 'Detectors' }).fill('off');
    await page.getByRole('button', { name: 'Extend' }).click();
    await expect.poll(() => page.url()).not.toContain(live.run);
  });

  test('W1 the address lets in one browser alone, and a page of another site changes nothing', async () => {
    const { page, server, context, base, log } = await entered();
    const address = server.address();
    await page.goto(address);
    expect(page.url()).toBe(`${base}/`);
    const other = await studio.browser.newContext();
    onTestFinished(() => other.close());
    const stranger = await other.newPage();
    expect((await stranger.goto(address))?.status()).toBe(403);
    // The same machine under another name is another site, which the cookie does not reach.
    const foreign = await context.newPage();
    await foreign.goto('data:text/html,<title>evil</title>');
    const tried = await foreign.evaluate(async (url) => {
      try {
        await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"prompt":"x"}' });
        return (await fetch(url, { credentials: 'include' })).status;
      } catch {
        return 'refused';
      }
    }, `${base}/api/runs`);
    expect([tried, await log.runs()]).toEqual(['refused', []]);
  });

  test('W3 an exported run is the same page in one file: it loads nothing, and no text in it is mark-up', async () => {
    const { start, loops } = await served({ answers: [{ text: `done ${HOSTILE}` }] });
    const live = await start({ prompt: `Do it. ${HOSTILE}` });
    await live.done;
    const page = await studio.browser.newPage();
    onTestFinished(() => page.close());
    const url = await exportedFile(studio, loops, live.run);
    const faults = watched(page, url);
    await page.goto(url);
    await heading(page, /success/).waitFor();
    await page.getByText(`done ${HOSTILE}`).first().waitFor();
    await page.getByRole('img', { name: /turn/ }).waitFor();
    await page.getByRole('slider', { name: 'Version' }).press('Home');
    await page.getByText('1 of ').waitFor();
    expect(await page.title()).toBe(`Run ${live.run}`);
    expect(faults).toEqual([]);
  });

  test('W3 an exported run that waits shows what it asks, with nothing to press', async () => {
    const asking = office(SCRIPT);
    const run = await leftWaiting(asking);
    const page = await studio.browser.newPage();
    onTestFinished(() => page.close());
    await page.goto(await exportedFile(studio, asking.loops(), run));
    const question = page.getByRole('region', { name: /Question of run/ });
    await question.getByText('answer it in a terminal').waitFor();
    expect([await question.textContent(), await question.getByRole('button').count()]).toEqual([
      expect.stringContaining('Which?'),
      0,
    ]);
    await page.getByText('answer what it asks, then resume it').waitFor();
  });

  test('W2 the page is at most 60 kB at first and 120 kB in all, as it is sent', () => {
    const sizes = [...studio.page.values()].map((bytes) => gzipSync(bytes).length);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    expect(all).toBeLessThanOrEqual(Math.min(FIRST_VIEW_BYTES, ALL_BYTES));
  });
});
