import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { htmlPage } from '../../../src/cli/pages/report/html-page.ts';
import { markdownPage } from '../../../src/cli/pages/report/markdown-page.ts';
import type { Block } from '../../../src/kernel/report-page.ts';
import { ImprovementReport } from '../../../src/loops/improvement/report/improvement-report.ts';
import { recordedNight } from './recorded-night.ts';
import { approvedNight, CANNOT, CUT, cutNight, witnessedNight } from './witnessed-night.ts';

function reported(events: readonly LoopEvent[]): ImprovementReport {
  const report = new ImprovementReport();
  for (const fact of recordedNight(events)) report.observe(fact);
  return report;
}

const markdown = (events: readonly LoopEvent[]): string => markdownPage(reported(events).report());

test('I13 the page has the witness and the grade of what was kept, with the reason of the grade', () => {
  const page = markdown(witnessedNight());
  expect(page).toContain('- ending: success, witnessed\n- improvements: 1\n- not shown: 1\n');
  expect(page).toContain(
    '| 1 | Test fails: adds | failing-tests | the test | witnessed: red before, and passes now: Test fails: adds |',
  );
  expect(markdown(approvedNight())).toContain(
    '| none: no acceptance test was written for it | not regressed: no acceptance test was written for it |',
  );
});

test('I13 the page has what is not shown, with its branch and the commands that show it', () => {
  const report = reported(witnessedNight());
  const page = markdownPage(report.report());
  expect(page).toContain('## What is not shown\n');
  expect(page).toContain('`git switch BRANCH` tries one, `git cherry-pick BRANCH` takes it.');
  expect(page).toContain(
    '| The page loads faster | items | no acceptance test was written for it | `loopfold/night-items-2` |',
  );
  expect(page).toContain('- The page loads faster: `git diff abad1dea00~ abad1dea00`');
  expect(report.changes().map(({ id }) => id)).toEqual(['change-items-2', 'change-failing-tests-1']);
  expect(markdown(approvedNight())).not.toContain('not shown');
});

test('I14 the page says how experiments ended that did not simply finish, and where their work went on', () => {
  const page = markdown(witnessedNight());
  expect(page).toContain(`| L1/unit | L1/unit: it fails | ${CUT}; it went on in iteration 2 |`);
  expect(page).toContain('| resolves | resolves: it fails | - |');
  expect(page).toContain(`| its own agent | ${CANNOT} | - |`);
  expect(markdown(cutNight())).toContain(`${CUT}; it goes on in a later iteration |`);
});

test('a text with code in it is drawn as code, and its words stay words', () => {
  const text = ['run ', { code: 'git log --grep="a_b"' }, ' for *all* `of` <it>'] as const;
  const blocks: readonly Block[] = [
    { kind: 'text', text },
    { kind: 'table', columns: [{ name: 'how' }], rows: [[{ text, tone: 'good' }], [text]] },
  ];
  const drawn = 'run `git log --grep="a_b"` for \\*all\\* \\`of\\` \\<it\\>';
  expect(markdownPage({ title: 'A', blocks })).toBe(`# A\n\n${drawn}\n\n| how |\n| --- |\n| ${drawn} |\n| ${drawn} |`);
  const page = htmlPage({ title: 'A', blocks }, new Map());
  const html = 'run <code>git log --grep=&quot;a_b&quot;</code> for *all* `of` &lt;it&gt;';
  expect(page).toContain(`<p>${html}</p>`);
  expect(page).toContain(`<td class="good">${html}</td>`);
});
