import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, leftWaiting, office, resumed, untilWaiting } from '../hosts/local/office.ts';
import { testInTurn } from '../support/in-turn.ts';
import { openStudio, type Studio, withoutBrowser } from './browser.ts';
import { enter, heading } from './entered.ts';

const SCRIPT = { answers: [{ calls: [ask('Which?', ['tabs', 'blanks'])] }, { text: 'done' }] };

describe.skipIf(withoutBrowser)(
  `W2 a page beside other processes${withoutBrowser ? `, ${withoutBrowser}` : ''}`,
  () => {
    let studio: Studio;
    beforeAll(async () => {
      studio = await openStudio();
    });
    afterAll(() => studio.close());

    test('W2 an answer given by keys alone is used by the process that resumes the run', async () => {
      const asking = office(SCRIPT);
      const run = await leftWaiting(asking);
      const { page, faults } = await enter(studio, SCRIPT, { loops: asking.loops() });
      await heading(page, 'Runs').waitFor();
      await page.keyboard.press('i');
      const question = page.getByRole('region', { name: /Question of run/ });
      await question.focus();
      await page.keyboard.press('2');
      for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Answer');
      await page.keyboard.press('Enter');
      await page.getByText('No run waits for a person.').waitFor();

      const live = await resumed(asking.loops(), run);
      await live.done;
      await page.keyboard.press('r');
      await page.getByRole('region', { name: 'Runs' }).press('Enter');
      await heading(page, /success/).waitFor();
      await page.keyboard.press('5');
      await page.getByText('blanks').first().waitFor();
      expect(faults).toEqual([]);
    });

    testInTurn('W2 a page follows a run that its process leaves, and that another one resumes', async () => {
      const asking = office(SCRIPT);
      const first = await asking.start();
      await untilWaiting(first);
      const { page } = await enter(studio, SCRIPT, { loops: asking.loops() });
      await page.goto(`${new URL(page.url()).origin}/#/run/${first.run}/chart`);
      await page.getByText('waits for you').first().waitFor();
      await first.pause('waiting');
      await first.done;
      const live = await resumed(asking.loops(), first.run);
      await untilWaiting(live);
      const slider = page.getByRole('slider', { name: 'Version' });
      const head = (await asking.log.run(first.run))?.version ?? 0;
      await expect.poll(async () => Number(await slider.getAttribute('max'))).toBe(head);
      await asking.loops().answer(first.run, { text: 'tabs' });
      await live.done;
      await heading(page, /success/).waitFor();
    });
  },
);
