import { expect, test } from 'vitest';
import type { LoopEvent } from '../../../machines/events.ts';
import { markdownPage } from '../../../src/cli/pages/report/markdown-page.ts';
import { reportView } from '../../../src/app/views/report-view.ts';
import type { Block, Cell } from '../../../src/kernel/report-page.ts';
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

test('I13 W2 the overview has each candidate as often as it was tried, with its witness and what became of it', () => {
  for (const events of [witnessedNight(), cutNight(), approvedNight()]) {
    const report = reported(events);
    const { kept, notShown, refused, left } = report.data();
    const { rows = [] } = report.report().overview ?? {};
    const became = rows.map(
      ([iteration, title, , , result]) => `${textOf(iteration)} ${textOf(title)} ${textOf(result)}`,
    );
    const expected = [
      ...kept.map(({ iteration, finding, branch }) => `${iteration} ${finding.title} kept, ${branch}`),
      ...notShown.map(({ iteration, finding }) => `${iteration} ${finding.title} not shown`),
      ...refused.map(({ iteration, finding, by }) => `${iteration} ${finding.title} refused by ${by}`),
      ...left.map(({ title }) => `- ${title} not tried`),
    ];
    expect(became.toSorted()).toEqual(expected.toSorted());
  }
  const { rows = [] } = reported(witnessedNight()).report().overview ?? {};
  expect(rows.map(([, , , witness]) => textOf(witness))).toContain('the test: Test fails: adds');
});

function textOf(cell: Cell | undefined): string {
  const text = typeof cell === 'object' && 'text' in cell ? cell.text : (cell ?? '');
  return typeof text === 'string' ? text : text.map((part) => (typeof part === 'string' ? part : part.code)).join('');
}

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
  const report = { title: 'A', blocks };
  const view = reportView({ kind: 'report', report, data: {}, patches: new Map() });
  const said = [
    { text: 'run ', isCode: false },
    { text: 'git log --grep="a_b"', isCode: true },
    { text: ' for *all* `of` <it>', isCode: false },
  ];
  expect(view.blocks).toMatchObject([{ said }, { rows: [[{ said, tone: 'good' }], [{ said, tone: null }]] }]);
});
