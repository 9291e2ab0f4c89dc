import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeReportPlace } from '../../../src/actors/verify/report-place.ts';
import { runLevels } from '../../../src/actors/verify/verify-actor.ts';

const SUM = 'exports.add = (a, b) => a + b;\n';
const TEST = `const { test } = require('node:test');
const assert = require('node:assert');
test('adds', () => assert.equal(require('./sum.cjs').add(1, 2), 3));
`;
const MEASURED = 'node --test --experimental-test-coverage --test-coverage-lines=100 --test-coverage-branches=100';

/** The check beside a folder of reports, as it is in a proof. */
async function ran(files: Readonly<Record<string, string>>, command: string) {
  const top = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-coverage-')));
  try {
    const [directory, folder] = [join(top, 'project'), join(top, 'reports')];
    await mkdir(directory);
    for (const [path, text] of Object.entries(files)) await writeFile(join(directory, path), text);
    await makeReportPlace(folder);
    const reports = { folder, seen: folder, tops: [directory] };
    const call = { signal: new AbortController().signal, delta: () => {} };
    const check = { level: 'L0', name: 'tests', command, timeoutMs: 60_000 } as const;
    const levels = await runLevels([check], { run: 'r', directory, environment: [], reports }, call);
    return { ...levels?.levels[0]?.checks[0], tests: levels?.tests.get('tests')?.tests.length };
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

test('V15 what lets a runner report is in no coverage that it measures, and what has no test is', async () => {
  const all = await ran({ 'sum.cjs': SUM, 'sum.test.cjs': TEST }, MEASURED);
  expect(all).toMatchObject({ passed: true, tests: 1 });
  expect(all.output).toMatch(/^\S+ sum\.cjs +\| 100\.00/m);
  expect(all.output).not.toMatch(/preload|record\.cjs|hooked/);
  const part = await ran(
    { 'sum.cjs': `${SUM}exports.take = (a) => {\n  return a;\n};\n`, 'sum.test.cjs': TEST },
    MEASURED,
  );
  expect(part).toMatchObject({ passed: false, tests: 1 });
});
