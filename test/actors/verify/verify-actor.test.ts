import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Level } from '../../../machines/events.ts';
import type { Check } from '../../../machines/settings.ts';
import { MAX_CHECK_OUTPUT_BYTES } from '../../../src/actors/verify/check-run.ts';
import { verifyActor } from '../../../src/actors/verify/verify-actor.ts';
import { fc } from '../../support/fast-check.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { performed } from '../performed.ts';

let directory = '';
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'loopfold-verify-'))));
afterEach(() => rm(directory, { recursive: true }));

function check(level: Level, name: string, command: string, timeoutMs = 120_000): Check {
  return { level, name, command, timeoutMs };
}

const verify = (checks: readonly Check[], signal?: AbortSignal, hear?: () => void) =>
  performed(verifyActor(), { checks, directory, environment: [], workspace: 'abc' }, signal, hear);

async function report(...checks: Check[]) {
  const { events } = await verify(checks);
  const [event] = events;
  if (event?.type !== 'verification.completed' || events.length > 1) throw new Error(JSON.stringify(events));
  return event.payload;
}

async function resultOf(command: string, timeoutMs?: number) {
  const { levels } = await report(check('L0', 'it', command, timeoutMs));
  return levels[0]?.checks[0];
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const ran = async () => lines(await readFile(join(directory, 'ran'), 'utf8').catch(() => ''));

describe('L16 the levels run in order, up to the first that fails', () => {
  test('L16 a passed check says how it went, and which workspace it was', async () => {
    expect(await report(check('L1', 'tests', 'echo 3 passed'))).toEqual({
      passed: true,
      workspace: 'abc',
      levels: [
        {
          level: 'L1',
          passed: true,
          checks: [{ name: 'tests', passed: true, output: '3 passed\n', exitCode: 0, durationMs: expect.any(Number) }],
        },
      ],
    });
  });

  test('L16 a failed check says its exit code and what it printed, stderr too', async () => {
    const result = await resultOf('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({ passed: false, exitCode: 3, output: 'out\nerr\n' });
  });

  testInTurn('L16 every check of a level runs, whatever the others say, and none of a level after a failed one', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ level: fc.constantFrom(...Level.options), passes: fc.boolean() }), { maxLength: 5 }),
        async (plan) => {
          await rm(join(directory, 'ran'), { force: true });
          const checks = plan.map(({ level, passes }, index) =>
            check(level, `check ${index}`, `echo 'check ${index}' >> ran; ${passes}`),
          );
          const firstFailed = plan.flatMap(({ level, passes }) => (passes ? [] : [level])).toSorted()[0] ?? 'L3';
          const expected = Level.options
            .filter((level) => level <= firstFailed)
            .map((level) => checks.filter((one) => one.level === level).map(({ name }) => name))
            .filter((names) => names.length > 0);

          const { passed, levels } = await report(...checks);

          expect(levels.map((level) => level.checks.map(({ name }) => name))).toEqual(expected);
          expect(await ran()).toEqual(expected.flat());
          expect(passed).toBe(plan.length > 0 && plan.every((one) => one.passes));
          const isLast = (index: number) => index === expected.length - 1;
          expect(levels.map((level) => level.passed)).toEqual(expected.map((_, index) => passed || !isLast(index)));
        },
      ),
      { numRuns: 15 },
    ),
  );

  test('L16 checks run in the workspace', async () => {
    expect(await resultOf('pwd -P')).toMatchObject({ output: `${directory}\n` });
  });

  test('L16 what a check prints can be watched', async () => {
    const { deltas } = await verify([check('L0', 'it', 'echo one')]);
    expect(deltas[0]?.kind).toBe('output');
    expect(deltas.map(({ text }) => text).join('')).toBe('one\n');
  });

  test('L16 checks that were lost in a crash are run again', () => {
    expect(verifyActor().effectClass({ checks: [], directory, environment: [], workspace: null })).toBe('repeatable');
  });
});

describe('L16 the last lines are never lost', () => {
  test('L16 output without end keeps its last lines within the limit', async () => {
    const result = await resultOf('seq 1 20000; false');
    expect(Buffer.byteLength(result?.output ?? '')).toBeLessThanOrEqual(MAX_CHECK_OUTPUT_BYTES);
    const tail = Array.from({ length: 1_000 }, (_, index) => `${19_001 + index}\n`).join('');
    const [printed = ''] = result?.output.split('the whole output is in ') ?? [];
    expect(printed.endsWith(tail)).toBe(true);
  });

  testInTurn('L16 a check that times out has failed, after what it had printed', async () => {
    expect(await resultOf('echo working; exec sleep 60', 300)).toMatchObject({
      passed: false,
      exitCode: null,
      output: 'working\ntimed out after 300 ms',
    });
  });

  test('L16 so has one that is killed, and its last line stays a line', async () => {
    expect(await resultOf('printf working; kill -9 $$')).toMatchObject({
      passed: false,
      exitCode: null,
      output: 'working\nkilled by SIGKILL',
    });
  });

  test('L16 so has one that cannot be started', async () => {
    expect(await resultOf('echo \0')).toMatchObject({
      passed: false,
      exitCode: null,
      durationMs: 0,
      output: expect.stringMatching(/^could not be started: ./),
    });
  });
});

describe('T11 told to stop, the checks give no verdict', () => {
  const interrupted = (reason: string) => [{ type: 'effect.interrupted', payload: { actor: 'checks', reason } }];
  const endless = check('L0', 'endless', 'echo begun; exec sleep 600');

  test('T11 the running check is ended, the next one never starts', async () => {
    const told = new AbortController();
    const next = check('L0', 'next', 'echo next >> ran');
    const { events } = await verify([endless, next], told.signal, () => told.abort('pause'));
    expect(events).toEqual(interrupted('pause'));
    expect(await ran()).toEqual([]);
  });

  test('T11 told before it starts, nothing runs', async () => {
    const { events } = await verify([check('L0', 'it', 'echo it >> ran')], AbortSignal.abort('abort'));
    expect(events).toEqual(interrupted('abort'));
    expect(await ran()).toEqual([]);
  });
});

describe('L2 the CI is asked after the checks', () => {
  const asked = async (
    checks: readonly Check[],
    command: string,
    timeoutMs = 120_000,
    signal?: AbortSignal,
    hear?: () => void,
  ) => {
    const input = { checks, ci: { command, timeoutMs }, directory, environment: [], workspace: 'abc' };
    return (await performed(verifyActor(), input, signal, hear)).events;
  };

  test('L2 what it says stands beside what the checks say, and changes nothing of it', async () => {
    for (const [command, ci] of [
      ['echo green', { passed: true, output: 'green\n', exitCode: 0 }],
      ['echo red; exit 7', { passed: false, output: 'red\n', exitCode: 7 }],
    ] as const) {
      const [event] = await asked([check('L0', 'it', 'true')], command);
      const payload = {
        passed: true,
        levels: [{ level: 'L0', passed: true }],
        ci: { ...ci, durationMs: expect.any(Number) },
      };
      expect(event).toMatchObject({ type: 'verification.completed', payload });
    }
  });

  test('L2 where a check failed it is not asked', async () => {
    const [event] = await asked([check('L0', 'no', 'false')], 'echo asked >> ran');
    expect(event?.payload).not.toHaveProperty('ci');
    expect(await ran()).toEqual([]);
  });

  test('L2 without checks it is asked, and nothing is proven', async () => {
    const [event] = await asked([], 'true');
    expect(event?.payload).toMatchObject({ passed: false, levels: [], workspace: 'abc', ci: { passed: true } });
  });

  test('L2 one that takes too long has failed', async () => {
    const [event] = await asked([], 'echo queued; exec sleep 60', 300);
    expect(event?.payload).toMatchObject({
      ci: { passed: false, exitCode: null, output: 'queued\ntimed out after 300 ms' },
    });
  });

  test('T11 told to stop while it runs, there is no verdict at all', async () => {
    const told = new AbortController();
    const events = await asked([check('L0', 'it', 'true')], 'echo begun; exec sleep 600', 600_000, told.signal, () =>
      told.abort('abort'),
    );
    expect(events).toEqual([{ type: 'effect.interrupted', payload: { actor: 'checks', reason: 'abort' } }]);
  });
});
