import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_REPORT_BYTES } from '../../../src/actors/verify/report-file.ts';
import { verifyActor } from '../../../src/actors/verify/verify-actor.ts';
import { performed } from '../performed.ts';

let directory = '';
let outside = '';
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'loopfold-report-')));
  outside = await mkdtemp(join(tmpdir(), 'loopfold-outside-'));
});
afterEach(() => Promise.all([directory, outside].map((folder) => rm(folder, { recursive: true }))));

const GREEN = '<testsuite name="sums"><testcase name="adds"/></testsuite>';
const RED = '<testsuite name="sums"><testcase name="adds"><failure message="no"/></testcase></testsuite>';

/** A check that runs this command and leaves its report in `out/report.xml`, unless told otherwise. */
async function resultOf(command: string, report: string | null = 'out/report.xml') {
  const check = {
    level: 'L1' as const,
    name: 'it',
    command,
    timeoutMs: 120_000,
    ...(report === null ? {} : { report }),
  };
  const input = { checks: [check], directory, environment: [], workspace: null };
  const { events } = await performed(verifyActor(), input);
  const [event] = events;
  if (event?.type !== 'verification.completed') throw new Error(JSON.stringify(events));
  return event.payload.levels[0]?.checks[0];
}

const writes = (report: string) => `mkdir -p out; echo '${report}' > out/report.xml`;
const old = async (report: string) => {
  await mkdir(join(directory, 'out'));
  await writeFile(join(directory, 'out/report.xml'), report);
};

describe('L16 a check passes by exit code 0 and no failed test in its report', () => {
  test('L16 what its report says of single tests is in its result', async () =>
    expect(await resultOf(writes(GREEN))).toMatchObject({
      passed: true,
      output: '',
      tests: { format: 'junit', passed: 1, failed: 0, skipped: 0, failing: [] },
    }));

  test('L16 a failed test is not hidden by exit code 0', async () =>
    expect(await resultOf(`(${writes(RED)}; false) || true`)).toMatchObject({
      passed: false,
      exitCode: 0,
      output: 'exited with 0, but its report shows 1 failed',
      tests: { failing: [{ name: 'sums > adds', message: 'no' }] },
    }));

  test('L16 nor a failed exit by a report without failures', async () =>
    expect(await resultOf(`${writes(GREEN)}; echo no coverage; exit 2`)).toMatchObject({
      passed: false,
      exitCode: 2,
      output: 'no coverage\nexited with 2, though its report shows no failed test',
    }));

  test('L16 what it prints is read too, and neither covers the other', async () => {
    const printsRed = 'printf "1..2\\nok 1 - adds\\nnot ok 2 - cuts\\n"';
    expect(await resultOf(printsRed, null)).toMatchObject({ passed: false, tests: { format: 'tap', failed: 1 } });
    expect(await resultOf(`${writes(GREEN)}; ${printsRed}`)).toMatchObject({ passed: false, tests: { format: 'tap' } });
    expect(await resultOf(`${writes(RED)}; printf "1..1\\nok\\n"`)).toMatchObject({
      passed: false,
      tests: { format: 'junit' },
    });
  });

  test('L16 a report without tests passes, and says so', async () =>
    expect(await resultOf(writes('<testsuites/>'))).toMatchObject({
      passed: true,
      output: 'its report shows no tests at all',
      tests: { passed: 0, failed: 0, skipped: 0 },
    }));

  test('L16 names do not tell where the workspace lies', async () => {
    const file = join(directory, 'sums.test.js');
    const failed = {
      numTotalTests: 1,
      testResults: [{ name: file, status: 'failed', message: 'no', assertionResults: [] }],
    };
    expect(await resultOf(`echo '${JSON.stringify(failed)}'`, null)).toMatchObject({
      tests: { failing: [{ name: 'sums.test.js', message: 'no' }] },
    });
  });
});

describe('L16 a report that cannot be used fails nothing, and its check says why', () => {
  const unused = (why: string) => ({ passed: true, output: `the report out/report.xml was not used: ${why}` });

  test('L16 one that is not there', async () =>
    expect(await resultOf('true')).toMatchObject(unused('it is not there')));

  test('L16 one from before, whether it was good or bad', async () => {
    await old(RED);
    expect(await resultOf('true')).toMatchObject(unused('it is older than this run of the check'));
    expect(await resultOf('true')).not.toHaveProperty('tests');
    expect(await resultOf('cp out/report.xml out/copy; cat out/copy > out/report.xml')).toMatchObject({
      passed: false,
    });
  });

  test('L16 one that was cut off', async () =>
    expect(await resultOf(writes(GREEN.slice(0, -3)))).toMatchObject(
      unused('it is no whole JUnit, TAP or JSON report'),
    ));

  test('L16 one larger than is read', async () =>
    expect(await resultOf(`mkdir out; truncate -s ${MAX_REPORT_BYTES + 1} out/report.xml`)).toMatchObject(
      unused(`it has ${MAX_REPORT_BYTES + 1} bytes, at most ${MAX_REPORT_BYTES} are read`),
    ));

  test.each(['mkdir -p out/report.xml', 'mkdir out; mkfifo out/report.xml'])(
    'L16 one that is no file: %s',
    async (command) => expect(await resultOf(command)).toMatchObject(unused('it is not a regular file')),
  );

  test('L16 one outside of the workspace, by a link or by name', async () => {
    const why = 'it lies outside the workspace';
    const elsewhere = join(outside, 'report.xml');
    await symlink(outside, join(directory, 'out'));
    expect(await resultOf(`echo '${RED}' > ${elsewhere}`)).toMatchObject(unused(why));
    for (const path of [elsewhere, `../${outside.split('/').at(-1)}/report.xml`]) {
      expect(await resultOf(`echo '${RED}' > ${elsewhere}`, path)).toMatchObject({
        passed: true,
        output: `the report ${path} was not used: ${why}`,
      });
    }
  });

  test('L16 one that a link in the workspace leads to is read', async () => {
    const command = `mkdir out; echo '${RED}' > real.xml; ln -s ../real.xml out/report.xml`;
    expect(await resultOf(command)).toMatchObject({ passed: false, tests: { failed: 1 } });
  });

  test('L16 one whose name no file can have', async () =>
    expect(await resultOf('true', 'out\0')).toMatchObject({
      passed: true,
      output: expect.stringContaining('could not be read'),
    }));

  test('L16 what is printed without end is not looked through', async () =>
    expect(
      await resultOf(`echo 1..2; echo not ok; head -c ${MAX_REPORT_BYTES} /dev/zero | tr '\\0' x`, null),
    ).toMatchObject({
      passed: true,
      output: expect.stringMatching(/x\n.*\nno report was looked for in more than \d+ bytes of output$/),
    }));
});
