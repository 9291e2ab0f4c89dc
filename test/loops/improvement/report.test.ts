import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reportView, ReportView } from '../../../src/app/views/report-view.ts';
import { markdownPage } from '../../../src/cli/pages/report/markdown-page.ts';
import { newestReported } from '../../../src/app/records/newest-reported.ts';
import { runReport } from '../../../src/app/records/run-tracker.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import { ImprovementReport } from '../../../src/loops/improvement/report/improvement-report.ts';
import { grouped } from '../../../src/text/money.ts';
import { appended, fact, take } from '../../../src/testing/log-contract/contract.ts';
import { loopStarted } from '../../support/facts.ts';
import { logNight } from './logged-night.ts';
import type { Night } from './night-facts.ts';
import { recordedNight } from './recorded-night.ts';
import { sampleNight } from './sample-night.ts';

function reported(night?: Night) {
  const report = new ImprovementReport();
  for (const event of recordedNight(sampleNight(night))) report.observe(event);
  return report;
}

const markdown = (night?: Night) => markdownPage(reported(night).report());
const shown = (patches: ReadonlyMap<string, string> = new Map()) => {
  const report = reported();
  return reportView({ kind: 'report', report: report.report(), data: report.data(), patches });
};

/** The cells of the row of a Markdown table that begins with these. */
function row(page: string, ...begin: readonly string[]): readonly string[] {
  const rows = page.split('\n').map((line) => line.slice(2, -2).split(' | '));
  return rows.find((cells) => begin.every((cell, index) => cells[index] === cell)) ?? [];
}

test('I4 I8 the report has the figures of the log: iterations, improvements, costs by phase and their sum', () => {
  const page = markdown();
  expect(page).toContain('- improvements: 1\n- iterations: 3\n- rate: 0.33\n');
  const discovery = 9_000 + 9_300;
  const experiment = 3_100 + 84_000 + 61_000 + 30_000;
  const integrate = 4_000 + 700;
  const total = discovery + 2_400 + experiment + 1_200 + integrate;
  expect(row(page, 'discovery')[1]).toBe(grouped(discovery));
  expect(row(page, 'filter')[1]).toBe('2,400');
  expect(row(page, 'experiment')[1]).toBe(grouped(experiment));
  expect(row(page, 'evaluate')[1]).toBe('1,200');
  expect(row(page, 'integrate')[1]).toBe(grouped(integrate));
  expect(row(page, 'total').slice(0, 3)).toEqual(['total', grouped(total), '100 %']);
  expect(page).toContain(`- tokens: ${grouped(total)}\n- cost: $0.0474`);
});

test('I3 the report says what was kept, with its commit and grade, and what was refused, by which tier and why', () => {
  const page = markdown();
  expect(row(page, '1', 'Benchmark parse is above 40 ms')).toEqual([
    '1',
    'Benchmark parse is above 40 ms',
    'benchmarks',
    '-',
    'weak',
    '`c0ffeebenc`',
    '`loopfold/night`',
    'src/parse.ts +12 −30',
  ]);
  expect(row(page, '1', 'Test "adds a day" fails').slice(2, 4)).toEqual(['failing-tests', 'L1/unit']);
  expect(row(page, '2', 'Test "adds a day" fails').slice(3)).toEqual(['an error', 'the provider answers 500']);
  expect(row(page, 'L1/unit')).toEqual(['L1/unit', '1', '1', 'Test "adds a day" fails', 'waits for the clock', '13 s']);
  expect(row(page, 'Benchmark parse is above 40 ms', 'benchmark parse').slice(2)).toEqual([
    'passed',
    '0.712',
    '0.690 to 0.744',
    '0.950',
    '9',
    '4711',
  ]);
});

test('I6 the report names the sources, their faults, and how many findings the minimum of relevance refused', () => {
  const page = markdown();
  expect(row(page, 'benchmarks')).toEqual(['benchmarks', '1', '1', '1', '-']);
  expect(row(page, 'failing-tests')).toEqual(['failing-tests', '1', '2', '0', '-']);
  expect(row(page, 'lint').at(-1)).toBe('lint: command not found');
  expect(page).toContain(
    'The minimum of relevance, 0.6, refused 1 finding in iteration 3, the last that searched. ' +
      '`improve --min-relevance 0.65` tries it.',
  );
});

test('I2 costTracking hides tokens and money from the report, and nothing else', () => {
  const page = markdown({ options: { costTracking: false } });
  expect(page).toContain('Costs are not shown: costTracking is off.');
  expect(page).not.toMatch(/tokens|\$|share/);
  expect(page).toContain('improvement-found');
  const night = reported({ options: { costTracking: false } }).data();
  expect(JSON.stringify(night)).not.toMatch(/tokens|nanoUsd/i);
});

test('the report of a run that kept nothing, or has only begun, says so', () => {
  const report = new ImprovementReport();
  for (const event of recordedNight(sampleNight()).slice(0, 3)) report.observe(event);
  const page = markdownPage(report.report());
  expect(page).toContain('- ending: under way');
  expect(page).toContain('Nothing was kept.');
  expect(page).toContain('Nothing that was tried was refused.');
});

test('texts of models and commands stay texts, in Markdown and as data', () => {
  expect(markdown()).toContain(String.raw`fails now. \| \<b\>no\</b\>`);
  expect(JSON.stringify(ReportView.parse(shown()))).toContain('fails now. | <b>no</b>');
});

test('a change that is kept is shown with its difference, or as gone', () => {
  expect(reported().changes()).toEqual([{ id: 'change-benchmarks-1a', from: 'tree-0', to: 'tree-benchmarks-1a' }]);
  const patch = '-slow\n+fast';
  expect(shown(new Map([['change-benchmarks-1a', patch]])).blocks).toContainEqual(
    expect.objectContaining({ kind: 'patch', patch }),
  );
  expect(shown().blocks).toContainEqual(
    expect.objectContaining({ kind: 'patch', command: 'git show c0ffeebenc', patch: null }),
  );
});

/** A repository with two trees, of which the second changes one file. */
function repository() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'loopfold-report-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: directory, encoding: 'utf8' }).trim();
  git('init', '--quiet');
  const treeOf = (text: string) => {
    writeFileSync(join(directory, 'clock.txt'), text);
    git('add', '.');
    return git('write-tree');
  };
  return { directory, base: treeOf('slow\n'), tree: treeOf('fast\n') };
}

test('I10 the host reads the report from the log, and its changes from the trees of the repository', async () => {
  const { directory, base, tree } = repository();
  const log = memoryLog();
  const events = sampleNight({ settings: { directory } }).map((event) =>
    event.type === 'candidate.built' ? { ...event, payload: { ...event.payload, base, tree } } : event,
  );
  await logNight(log, 'night', events);
  const read = await runReport({ log, definitions: shippedLoops }, 'night');
  if (read.kind !== 'report') throw new Error(read.kind);
  expect(markdownPage(read.report)).toBe(markdown({ settings: { directory } }));
  expect(read.data).toMatchObject({ run: 'night', counts: { iterations: 3, improvements: 1 } });
  expect(read.patches.get('change-benchmarks-1a')).toMatch(
    /^diff --git a\/clock.txt b\/clock.txt\n[^]*-slow\n\+fast\n$/,
  );
});

test('a run of a loop without reports, and one that is not there, are told apart', async () => {
  const log = memoryLog();
  await logNight(log, 'night', sampleNight());
  const lease = await take(log, 'other');
  const { type, payload } = loopStarted();
  const schema = 1;
  await appended(
    log.append({
      run: 'other',
      events: [{ ...fact(JSON.parse(JSON.stringify(payload))), type, schema }],
      expectedVersion: 0,
      epoch: lease.epoch,
    }),
  );
  const host = { log, definitions: shippedLoops };
  expect(await runReport(host, 'other')).toEqual({ kind: 'no_report', loop: 'iteration', known: ['improvement'] });
  expect(await runReport(host, 'absent')).toEqual({ kind: 'unknown_run', run: 'absent' });
  expect(await newestReported(host)).toBe('night');
});
