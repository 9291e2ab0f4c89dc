import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, leftWaiting, office, resumed, untilWaiting } from '../hosts/local/office.ts';
import { served } from '../http/served.ts';
import { openStudio, type Studio, withoutBrowser } from './browser.ts';
import { enter, heading } from './entered.ts';

const SCRIPT = { answers: [{ calls: [ask('Which?', ['tabs', 'blanks'])] }, { text: 'done' }] };
/** Longer than the page waits before it asks a server again. */
const QUIET_MS = 4_000;

describe.skipIf(withoutBrowser)(
  `W2 a page whose server goes away${withoutBrowser ? `, ${withoutBrowser}` : ''}`,
  () => {
    let studio: Studio;
    beforeAll(async () => {
      studio = await openStudio();
    });
    afterAll(() => studio.close());

    test('W2 a page goes on where it was when its server has started again and has let the browser in', async () => {
      const asking = office(SCRIPT);
      const run = await leftWaiting(asking);
      const { page, server, context, base } = await enter(studio, SCRIPT, { loops: asking.loops() });
      await page.goto(`${base}/#/run/${run}/chart?at=3`);
      await heading(page, /waits for you/).waitFor();
      await server.close();
      await page.getByText('the server does not answer').first().waitFor();

      const second = await served(SCRIPT, { loops: asking.loops(), page: studio.page, port: server.port });
      expect(second.server.port).toBe(server.port);
      await page.getByText('open the address that loopfold has printed').first().waitFor();
      const other = await context.newPage();
      await other.goto(second.server.address());
      await heading(other, 'Runs').waitFor();
      const live = await resumed(asking.loops(), run);
      await untilWaiting(live);
      await asking.loops().answer(run, { text: 'tabs' });
      await live.done;
      await heading(page, /success/).waitFor();
      expect(page.url()).toBe(`${base}/#/run/${run}/chart?at=3`);
      expect(await page.getByRole('alert').count()).toBe(0);
      await page
        .getByText(/3 of \d/)
        .first()
        .waitFor();
    });

    test('W2 a run that the log has lost while it is shown stays to be read, and is asked for no more', async () => {
      const asking = office(SCRIPT);
      const live = await asking.start();
      await untilWaiting(live);
      const { page, base } = await enter(studio, SCRIPT, { loops: asking.loops() });
      await page.goto(`${base}/#/run/${live.run}/chart`);
      await heading(page, /waits for you/).waitFor();
      let asked = 0;
      await page.route(`**/api/runs/${live.run}**`, (route) => {
        asked += 1;
        return route.fulfill({ status: 404, json: { code: 'unknown_run', message: 'the log has no run' } });
      });
      await asking.loops().answer(live.run, { text: 'tabs' });
      await live.done;
      await page.getByRole('alert').filter({ hasText: 'The log no longer has this run' }).waitFor();
      await heading(page, /waits for you/).waitFor();
      const before = asked;
      await page.waitForTimeout(QUIET_MS);
      expect(asked - before).toBeLessThanOrEqual(2);
    });
  },
);
