import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Json, NewEvent } from '../../src/log/envelope.ts';
import { PROGRAM } from '../../src/log/program-version.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { MODEL, project, resultIn } from './program.ts';
import { loopfold } from './warm-process.ts';

const asks = { calls: [{ tool: 'ask_user', arguments: { question: 'Which colour?', choices: [] } }] };
const NEWER = 'loopfold@9.9.9';

/** What a run holds after its question, and what is said of it. */
const TAMPERED: Readonly<
  Record<string, { readonly events: readonly NewEvent[]; readonly says: string; readonly remedy: string }>
> = {
  'of-an-unknown-type': {
    events: [takenUpBy(NEWER), event('weather.changed', 1, { wind: 'north' })],
    says: 'no event that turn@1 has here',
    remedy: `Use ${NEWER}, which wrote it.`,
  },
  'of-a-later-schema': {
    events: [takenUpBy(NEWER), event('warning.raised', 7, { code: 'slow', message: 'slow' })],
    says: 'schema 7; known here: 1',
    remedy: `Use ${NEWER}, which wrote it.`,
  },
  'of-another-shape': {
    events: [takenUpBy(NEWER), event('verification.completed', 1, { passed: 'yes' })],
    says: 'its payload does not fit schema 1: payload.passed: ',
    remedy: `Use ${NEWER}, which wrote it.`,
  },
  'of-an-unknown-loop': {
    events: [
      event('run.migrated', 1, { from: 'turn@1', to: 'weather@1' }),
      event('weather.changed', 1, { wind: 'north' }),
    ],
    says: 'an event of weather@1, a loop that is not known here',
    remedy: 'Give the module of weather@1',
  },
};
const names = Object.keys(TAMPERED);

function event(type: string, schema: number, payload: Json): NewEvent {
  return fact(payload, { type, schema, at: new Date().toISOString() });
}

function takenUpBy(program: string): NewEvent {
  return event('run.resumed', 2, { idleMs: 0, program });
}

let cwd = '';
let sound = '';
let version = 0;

beforeAll(async () => {
  cwd = await project({ answers: [asks, { text: 'painted' }] }, {}, false);
  const ran = await loopfold(['run', 'paint it', '--loop', 'turn', ...MODEL, '--output-format', 'json'], { cwd });
  sound = resultIn(ran).run ?? '';
  const log = openSqliteLog(join(cwd, '.loopfold/log.db'));
  version = (await log.run(sound))?.version ?? 0;
  for (const [run, { events }] of Object.entries(TAMPERED)) {
    await log.fork({ from: sound, at: version, to: run });
    const lease = await take(log, run);
    await appended(log.append({ run, events, expectedVersion: version, epoch: lease.epoch }));
    await log.release(lease);
  }
  const lease = await take(log, 'without-start');
  const started = event('run.started', 99, { machine: 'turn@1', program: NEWER, task: 'paint it' });
  await appended(log.append({ run: 'without-start', events: [started], expectedVersion: 0, epoch: lease.epoch }));
  await log.release(lease);
  await log.close();
});

/** Nothing that is asked of such a run is a bug. */
async function asked(...words: string[]) {
  const ended = await loopfold(words, { cwd });
  expect(ended.stderr).not.toContain('this is a bug');
  return ended;
}

describe.each(names)('a run with an event %s', (run) => {
  const { says, remedy, events } = TAMPERED[run] ?? { says: '', remedy: '', events: [] };
  const type = events.at(-1)?.type ?? '';

  test('is printed event by event, with why one cannot be read and what it carries', async () => {
    const { status, stdout } = await asked('events', run);
    expect(status).toBe(0);
    expect(stdout).toMatch(/\d  run\.started /);
    const line = stdout.split('\n').find((one) => one.includes(`  ${type} `));
    expect(line).toContain(`unreadable (${says}`);
    expect(line).toContain(JSON.stringify(events.at(-1)?.payload));
  });

  test('has its page, which says which of its events cannot be read', async () => {
    const { status, stdout, stderr } = await asked('show', run);
    expect(status).toBe(0);
    expect(stdout).toContain('paint it');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`unreadable version ${version + 2}, ${type}: ${says}`);
    expect(stderr).toContain(`events ${run}`);
  });

  test('7: is not resumed, and what is needed is named', async () => {
    const { status, stderr } = await asked('resume', run);
    expect({ status, stderr }).toEqual({ status: 7, stderr: expect.stringContaining('loopfold: run ') });
    expect(stderr).toContain(run === 'of-an-unknown-loop' ? 'weather@1' : remedy);
  });
});

describe('every verb, of a run with an event of a later schema', () => {
  const run = 'of-a-later-schema';
  const { says, remedy, events } = TAMPERED[run] ?? { says: '', remedy: '', events: [] };

  test('events --json: the event as it was recorded, and why it cannot be read', async () => {
    const { status, stdout } = await asked('events', run, '--json');
    const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect({ status, last }).toMatchObject({
      status: 0,
      last: { schema: 7, payload: events.at(-1)?.payload, unreadable: expect.stringContaining(remedy) },
    });
    expect(stdout.split('\n').filter((line) => line.includes('"unreadable"'))).toHaveLength(1);
  });

  test('show --json: what is known of it, and of who wrote it', async () => {
    const { unreadable } = JSON.parse((await asked('show', run, '--json')).stdout);
    const writtenBy = { machine: 'turn@1', program: NEWER };
    expect(unreadable).toMatchObject([
      { because: 'later_schema', version: version + 2, type: 'warning.raised', schema: 7, knownSchema: 3, writtenBy },
    ]);
  });

  test.each([['rebuild'], ['machine --run'], ['redecide'], ['extend --max-steps 90']])(
    '7: %s is refused with what is needed',
    async (words) => {
      const { status, stderr } = await asked(...words.split(' '), run);
      expect({ status, stderr }).toEqual({ status: 7, stderr: expect.stringContaining(remedy) });
    },
  );

  test('rebuild --at: folded up to the version before', async () => {
    const { status, stdout } = await asked('rebuild', run, '--at', String(version));
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('tools.awaitingPerson') });
  });

  test.each([['steer', 'blue'], ['answer', 'blue'], ['pause'], ['abort']])(
    '%s is not taken, and nothing is recorded',
    async (verb, ...more) => {
      const { status, stderr } = await asked(verb, run, ...more);
      expect(status).not.toBe(0);
      expect(stderr).toContain(says);
      const log = openSqliteLog(join(cwd, '.loopfold/log.db'));
      expect(await log.run(run)).toMatchObject({ version: version + 2, closed: null });
      expect(await log.inbox(run)).toEqual([]);
      await log.close();
    },
  );
});

test('every verb, of a run whose start cannot be read', async () => {
  const says = 'schema 99; known here: 1 to 14';
  const remedy = `Use ${NEWER}, which wrote it.`;
  const of = (verb: string) => asked(verb, 'without-start');
  expect(await of('events')).toMatchObject({ status: 0, stdout: expect.stringContaining(says) });
  expect(await of('show')).toMatchObject({ status: 0, stdout: expect.stringContaining(remedy) });
  for (const verb of ['rebuild', 'resume', 'redecide', 'check']) {
    const { status, stdout, stderr } = await of(verb);
    expect({ verb, status, said: stdout + stderr }).toEqual({ verb, status: 7, said: expect.stringContaining(remedy) });
  }
  expect(await asked('extend', 'without-start', '--max-steps', '9')).toMatchObject({
    status: 7,
    stderr: expect.stringContaining(remedy),
  });
});

test('the list of runs has them all, and says how many events of each cannot be read', async () => {
  const { status, stdout } = await asked('runs');
  expect(status).toBe(0);
  expect(stdout.match(/1 unreadable/g)).toHaveLength(names.length + 1);
  const listed = JSON.parse((await asked('runs', '--json')).stdout) as { run: string; unreadable: number }[];
  expect(Object.fromEntries(listed.map(({ run, unreadable }) => [run, unreadable]))).toEqual({
    [sound]: 0,
    ...Object.fromEntries([...names, 'without-start'].map((run) => [run, 1])),
  });
});

test('7: check counts them beside the run that is the same', async () => {
  const { status, stdout } = await asked('check', '--json');
  const { summary } = JSON.parse(stdout);
  expect({ status, summary }).toEqual({
    status: 7,
    summary: {
      runs: 6,
      same: 1,
      differs: 0,
      refused: 1,
      unreadable: 3,
      damaged: 1,
      judgedOtherwise: 0,
      storeFaults: 0,
    },
  });
  expect((await asked('check')).stdout).toContain(`schema 7; known here: 1 to 3. Use ${NEWER}, which wrote it.`);
});

test('redecide --all judges the others, and says which were left out', async () => {
  const { status, stderr, stdout } = await asked('redecide', '--all');
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/1 +/) });
  expect(stderr.match(/^left out: /gm)).toHaveLength(names.length + 1);
});

test('the run beside them is answered, resumed and ends', async () => {
  expect((await asked('answer', sound, 'blue')).status).toBe(0);
  expect(await asked('resume', sound)).toMatchObject({ status: 0, stdout: 'painted\n' });
});

test('a payload that does not fit and that this program is said to have written is shown, and is damage', async () => {
  const log = openSqliteLog(join(cwd, '.loopfold/log.db'));
  await log.fork({ from: sound, at: version, to: 'of-our-own' });
  const lease = await take(log, 'of-our-own');
  const events = [takenUpBy(PROGRAM), event('verification.completed', 1, {})];
  await appended(log.append({ run: 'of-our-own', events, expectedVersion: version, epoch: lease.epoch }));
  await log.release(lease);
  await log.close();
  expect((await asked('events', 'of-our-own')).stdout).toContain(
    'unreadable (its payload does not fit schema 1: payload.passed: ',
  );
  expect((await asked('show', 'of-our-own')).stdout).toContain('Restore the log from a copy.');
  expect(await asked('check', 'of-our-own')).toMatchObject({
    status: 7,
    stdout: expect.stringMatching(/^damaged .*payload\.passed: /),
  });
});
