import { existsSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Loops } from '../../src/hosts/local/local-host.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { MODEL, Program, project, Terminal } from '../cli/program.ts';
import { factsOf, request } from '../hosts/local/office.ts';
import { openStudio, type Studio, withoutBrowser } from './browser.ts';
import { enter, heading } from './entered.ts';

/** The page asks every ten seconds whether a process is still at work. */
const UNTIL_NOTICED = { timeout: 30_000 };
const SCRIPT = { answers: [{ text: 'done' }] };

describe.skipIf(withoutBrowser)(
  `W2 a page, and runs in processes of their own${withoutBrowser ? `, ${withoutBrowser}` : ''}`,
  () => {
    let studio: Studio;
    beforeAll(async () => {
      studio = await openStudio();
    });
    afterAll(() => studio.close());

    test('W2 a run that is killed is shown as interrupted, and goes on in the open page when resumed', async () => {
      const sleeping = { tool: 'shell', arguments: { command: 'sleep 60' } };
      const cwd = await project({ answers: [{ calls: [sleeping] }, { text: 'It is mended.' }] }, {}, false);
      const first = new Program(['run', 'Mend it.', ...MODEL, '--loop', 'turn'], { cwd });
      onTestFinished(() => first.signal('SIGKILL'));
      const { loops, run } = await begun(cwd);
      const { page, faults } = await enter(studio, SCRIPT, { loops });
      await page.goto(`${new URL(page.url()).origin}/#/run/${run}/chart`);
      await heading(page, /running/).waitFor();
      await expect.poll(() => factsOf(loops.log, run, 'calls.admitted')).toHaveLength(1);
      first.signal('SIGKILL');
      await heading(page, /interrupted/).waitFor(UNTIL_NOTICED);
      await page.getByText('Next: resume').waitFor();

      expect((await new Program(['resume'], { cwd }).ended).status).toBe(0);
      await heading(page, /success/).waitFor();
      await page.keyboard.press('5');
      await page.getByText('the process that ran it is gone').first().waitFor();
      await page.getByText('It is mended.').first().waitFor();
      expect(faults).toEqual([]);
    });

    test.runIf(process.platform === 'linux')(
      'W2 an approval given in the page is taken by the process that asks for it at a terminal',
      async () => {
        const cwd = await project(
          { answers: [{ calls: [request('/etc/hosts')] }, { text: 'It is read.' }] },
          {},
          false,
        );
        const terminal = new Terminal(['run', 'Read it.', ...MODEL, '--loop', 'turn'], { cwd });
        onTestFinished(() => terminal.hangUp());
        await terminal.shows('/etc/hosts and everything below it');
        const { loops, run } = await begun(cwd);
        const { page, faults } = await enter(studio, SCRIPT, { loops });
        await heading(page, 'Runs').waitFor();
        await page.keyboard.press('i');
        const question = page.getByRole('region', { name: /Question of run/ });
        await question.press('a');
        await page.keyboard.press('Enter');
        await page.getByText('No run waits for a person.').waitFor();
        const { status, stdout } = await terminal.ended;
        expect([status, stripVTControlCharacters(stdout)]).toEqual([0, expect.stringContaining('It is read.')]);
        const [granted] = await factsOf(loops.log, run, 'person.answered');
        expect(granted?.payload).toMatchObject({ access: { path: '/etc/hosts', granted: true } });
        expect(faults).toEqual([]);
      },
    );
  },
);

/** The log of a program that has begun a run, and the run. */
async function begun(cwd: string): Promise<{ readonly loops: Loops; readonly run: string }> {
  const path = `${cwd}/.loopfold/log.db`;
  await expect.poll(() => existsSync(path)).toBe(true);
  const log = openSqliteLog(path);
  onTestFinished(() => log.close());
  await expect.poll(() => log.runs()).toHaveLength(1);
  const [record] = await log.runs();
  return { loops: new Loops({ log }), run: record?.run ?? '' };
}
