import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logNight } from '../loops/improvement/logged-night.ts';
import { witnessedNight } from '../loops/improvement/witnessed-night.ts';
import { ask, untilWaiting } from '../hosts/local/office.ts';
import { openStudio, type Studio, withoutBrowser } from './browser.ts';
import { enter, exportedFile, heading } from './entered.ts';

const NIGHT = '019abcde-0000-7000-8000-00000000feed';
const SCRIPT = { answers: [{ calls: [ask('Which?', ['tabs', 'blanks'])] }, { text: 'done' }] };

describe.skipIf(withoutBrowser)(
  `W2 what is made of runs, in a browser${withoutBrowser ? `, ${withoutBrowser}` : ''}`,
  () => {
    let studio: Studio;
    beforeAll(async () => {
      studio = await openStudio();
    });
    afterAll(() => studio.close());

    test('W2 the lab asks judges that a person types about all runs, and a verdict leads to its version', async () => {
      const { page, start, post, log, faults } = await enter(studio, SCRIPT);
      for (let n = 0; n < 2; n += 1) {
        const live = await start();
        await untilWaiting(live);
        await post(`/api/runs/${live.run}/answer`, { text: 'tabs' });
        await live.done;
      }
      await page.keyboard.press('l');
      await heading(page, 'Lab').waitFor();
      await page.getByText('2 runs judged').waitFor();
      await page.getByRole('button', { name: 'Another judge' }).click();
      const judge = page.getByRole('group', { name: /^Judge 2/ });
      await judge.getByRole('textbox', { name: 'Steps at most' }).fill('1');
      await judge.getByRole('textbox', { name: 'Steps at most' }).press('Enter');
      await page.getByRole('rowheader', { name: 'steps at most 1' }).waitFor();
      const runs = (await log.runs()).map(({ run }) => run);
      await page
        .getByRole('link', { name: /ends earlier: cap_hit/ })
        .first()
        .click();
      await page.getByRole('slider', { name: 'Version' }).waitFor();
      const [, run, at] = /#\/run\/([^/]+)\/chart\?at=(\d+)$/.exec(page.url()) ?? [];
      expect([runs.includes(run ?? ''), Number(at) > 0]).toEqual([true, true]);
      expect(faults).toEqual([]);
    });

    test('W2 runs are marked in the list, and compared by keys alone; a move leads to its version', async () => {
      const { page, start, post, faults } = await enter(studio, SCRIPT);
      const ended: string[] = [];
      for (const text of ['tabs', 'blanks']) {
        const live = await start();
        await untilWaiting(live);
        await post(`/api/runs/${live.run}/answer`, { text });
        await live.done;
        ended.push(live.run);
      }
      const list = page.getByRole('region', { name: 'Runs' });
      await page.getByText('2 of 2').waitFor();
      for (const key of ['x', 'j', 'x', 'c']) await list.press(key);
      await heading(page, 'Compare 2 runs').waitFor();
      const moves = page.getByRole('region', { name: 'Moves' });
      const [, differs = ''] = /move (\d+) is the first/.exec(await page.getByRole('status').last().innerText()) ?? [];
      const row = moves.getByRole('row').filter({ has: page.getByRole('rowheader', { name: differs, exact: true }) });
      expect(await row.getByRole('cell').allInnerTexts()).toEqual([
        'person.answered 0.0: blanks',
        'person.answered 0.0: tabs',
      ]);
      await row.getByRole('link').last().click();
      await page.getByRole('slider', { name: 'Version' }).waitFor();
      expect(page.url()).toContain(`#/run/${ended[0]}/chart?at=`);
      expect(faults).toEqual([]);
    });

    test('W2 a night is a table of candidates with what became of them, in the page and in one file', async () => {
      const { page, log, base, loops, faults } = await enter(studio, SCRIPT);
      await logNight(log, NIGHT, witnessedNight());
      await page.goto(`${base}/#/run/${NIGHT}/chart`);
      await page.getByRole('slider', { name: 'Version' }).waitFor();
      await page.keyboard.press('8');
      const table = page
        .getByRole('table')
        .filter({ has: page.getByRole('columnheader', { name: 'what became of it' }) });
      const cells = async (shown: typeof table) => shown.getByRole('row').allInnerTexts();
      await table.waitFor();
      const rows = await cells(table);
      const read = await loops.report(NIGHT);
      if (read.kind !== 'report') throw new Error('no report');
      expect(rows).toHaveLength((read.report.overview?.rows.length ?? 0) + 1);
      for (const word of ['kept', 'not shown', 'refused by', 'the test: Test fails: adds'])
        expect(rows.some((row) => row.includes(word))).toBe(true);
      const file = await exportedFile(studio, loops, NIGHT);
      await page.goto(`${file}#/run/${NIGHT}/report`);
      await table.waitFor();
      expect(await cells(table)).toEqual(rows);
      expect(faults.filter((fault) => !/status of 409/.test(fault) && !fault.startsWith('asked: file:'))).toEqual([]);
    });

    test('W2 what a judge cannot be is said on the page', async () => {
      const { page, start } = await enter(studio, { answers: [{ text: 'done' }] });
      await (
        await start()
      ).done;
      await page.keyboard.press('l');
      const judge = page.getByRole('group', { name: /^Judge 1/ });
      await judge.getByRole('textbox', { name: 'Strategy' }).fill('custom:./mine.ts#Mine');
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByRole('alert').filter({ hasText: 'a module is named in the configuration' }).waitFor();
      await judge.getByRole('textbox', { name: 'Strategy' }).fill('');
      await judge.getByRole('textbox', { name: 'Detectors' }).fill('default, same-tool treshold=4');
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.getByText(/1 left out: .*treshold/).waitFor();
    });
  },
);
