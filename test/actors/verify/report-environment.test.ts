import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { expectReports, makeReportPlace } from '../../../src/actors/verify/report-place.ts';
import { givenEnvironment, reportingEnvironment } from '../../../src/actors/verify/report-environment.ts';
import { temporaryFolder } from '../../git/repository.ts';

const FOLDERS = { modules: '/tmp/r/node_modules', reports: '/tmp/r/reports/1' };
const OURS = {
  LOOPFOLD_REPORTS: '/tmp/r/reports/1',
  NODE_OPTIONS: '--require="/tmp/r/node_modules/preload.cjs"',
  PATH: '/tmp/r/node_modules/bin',
  PYTHONPATH: '/tmp/r/node_modules',
  PYTEST_PLUGINS: 'loopfold_pytest',
  GOFLAGS: '-exec=/tmp/r/node_modules/go-exec.sh',
  RUBYLIB: '/tmp/r/node_modules',
  SPEC_OPTS: '--require loopfold_rspec',
  PHP_INI_SCAN_DIR: ':/tmp/r/node_modules/php',
};

test('V4 runners are told by the environment alone, and what the person has set there is kept', () => {
  expect(reportingEnvironment(FOLDERS, {})).toEqual(OURS);
  const given = {
    NODE_OPTIONS: '--no-warnings',
    PATH: '/bin',
    PYTHONPATH: 'a:b',
    PYTEST_PLUGINS: 'c',
    GOFLAGS: '-v',
    RUBYLIB: 'd',
    SPEC_OPTS: '-f d',
    PHP_INI_SCAN_DIR: '/ini',
  };
  expect(reportingEnvironment(FOLDERS, given)).toEqual({
    LOOPFOLD_REPORTS: OURS.LOOPFOLD_REPORTS,
    NODE_OPTIONS: `--no-warnings ${OURS.NODE_OPTIONS}`,
    PATH: `${OURS.PATH}:/bin`,
    PYTHONPATH: `a:b:${OURS.PYTHONPATH}`,
    PYTEST_PLUGINS: `c,${OURS.PYTEST_PLUGINS}`,
    GOFLAGS: `-v ${OURS.GOFLAGS}`,
    RUBYLIB: `d:${OURS.RUBYLIB}`,
    SPEC_OPTS: `-f d ${OURS.SPEC_OPTS}`,
    PHP_INI_SCAN_DIR: `/ini${OURS.PHP_INI_SCAN_DIR}`,
  });
  vi.stubEnv('NODE_OPTIONS', '--a');
  vi.stubEnv('GOFLAGS', '-b');
  expect(givenEnvironment(['GOFLAGS'], '/bin')).toEqual({ GOFLAGS: '-b', PATH: '/bin' });
});

test('V4 Go keeps the program that it runs others by, and takes none from a path with spaces', () => {
  expect(reportingEnvironment(FOLDERS, { GOFLAGS: '-exec=mine' })).not.toHaveProperty('GOFLAGS');
  const spaced = reportingEnvironment({ ...FOLDERS, modules: '/tmp/a "b' }, {});
  expect(spaced).not.toHaveProperty('GOFLAGS');
  expect(spaced['NODE_OPTIONS']).toBe(String.raw`--require="/tmp/a \"b/preload.cjs"`);
});

test('V4 each check has a folder of its own, and what is there beside a whole report makes it a cut one', async () => {
  const folder = await temporaryFolder();
  await makeReportPlace(folder);
  const place = { folder, seen: '/seen', tops: ['/here'] };
  const [one, other] = [await expectReports(place), await expectReports(place)];
  expect(one.folders.modules).toBe('/seen/node_modules');
  expect(one.folders.reports).not.toBe(other.folders.reports);
  expect(await one.read()).toBeNull();
  const own = join(folder, 'reports', basename(one.folders.reports));
  const line = { file: 'a.js', path: ['adds'], result: 'passed' };
  const lines = [{ runner: 'x', directory: '/here' }, line, { tests: 1 }].map((value) => JSON.stringify(value));
  await writeFile(join(own, 'a.jsonl'), lines.join('\n'));
  const tests = [{ file: 'a.js', name: 'adds', occurrence: 1, result: 'passed' }];
  expect(await one.read()).toEqual({ tests, complete: true });
  for (const put of [
    (path: string) => writeFile(path, ''),
    (path: string) => mkdir(path),
    (path: string) => symlink('a.jsonl', path),
  ]) {
    const { folders, read } = await expectReports(place);
    const there = join(folder, 'reports', basename(folders.reports));
    await writeFile(join(there, 'a.jsonl'), lines.join('\n'));
    await put(join(there, 'b.jsonl'));
    expect(await read()).toEqual({ tests, complete: false });
  }
});
