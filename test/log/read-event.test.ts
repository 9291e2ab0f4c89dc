import { expect, test } from 'vitest';
import { z } from 'zod';
import { fact, lifeFacts, TurnEvent } from '../../machines/events.ts';
import { catalogue } from '../../machines/index.ts';
import { unchanged, vocabularyOf } from '../../machines/vocabulary.ts';
import type { Json } from '../../src/log/envelope.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { PROGRAM } from '../../src/log/program-version.ts';
import { type Readable, readEvent } from '../../src/log/read-event.ts';
import { firstUnreadable, Reading, readEvents } from '../../src/log/reading.ts';
import { UnreadableError, unreadableRemedy, unreadableText } from '../../src/log/unreadable.ts';
import { factOf } from '../../src/projections/read-summary.ts';
import { all, appended, AT, fact as envelope, take } from '../../src/testing/log-contract/contract.ts';
import { turnStarted } from '../support/facts.ts';

const { settings } = turnStarted().payload;
const NOBODY = { machine: null, program: null };

const recorded = (type: string, schema: number, payload: Json, version = 1): Readable => ({
  run: 'a',
  version,
  at: AT,
  type,
  schema,
  payload,
});

/** A review had no remark at first, and was called a verdict before that. */
const Reviewed = z.discriminatedUnion('type', [
  ...lifeFacts,
  fact('review.given', { approved: z.boolean(), remark: z.string() }, [
    ({ verdict }) => ({ approved: verdict === 'good' }),
    (payload) => ({ ...payload, remark: '' }),
  ]),
]);
const reviewed = { id: 'reviewed@1', events: Reviewed } as const;
const context = { vocabulary: vocabularyOf(Reviewed), isWhole: false, knowsLoop: true, writtenBy: NOBODY };

const started = (machine: string, program?: string): Readable =>
  recorded('run.started', 2, { machine, settings, ...(program === undefined ? {} : { program }) } as Json);

test('an event of the newest schema is the envelope itself, and its payload is not parsed', () => {
  const good = recorded('review.given', 3, { approved: true, remark: 'fine' });
  const strange = recorded('review.given', 3, { approved: 'perhaps' });
  for (const one of [good, strange]) {
    const read = readEvent(one, context);
    expect(read.kind === 'event' && Object.is(read.event, one)).toBe(true);
  }
});

test('an event of an older schema is upcast step by step, and the recording stays as it is', () => {
  const first = recorded('review.given', 1, { verdict: 'good' });
  const before = structuredClone(first);
  expect(readEvent(first, context)).toEqual({
    kind: 'event',
    event: { ...first, schema: 3, payload: { approved: true, remark: '' } },
  });
  expect(readEvent(recorded('review.given', 2, { approved: false }), context)).toMatchObject({
    event: { payload: { approved: false, remark: '' } },
  });
  expect(first).toEqual(before);
});

test.each([
  ['weather.changed', 1, {}, 'unknown_type', null],
  ['review.given', 4, { approved: true, remark: 'fine' }, 'later_schema', null],
  ['review.given', 3, null, 'forgotten', null],
  ['review.given', 2, { approved: 'perhaps' }, 'misfit', 'payload.approved: '],
  ['review.given', 3, { approved: true }, 'misfit', 'payload.remark: '],
] as const)(
  '%s of schema %i with %j is a value that says why it cannot be read: %s',
  (type, schema, payload, because, detail) => {
    const read = readEvent(recorded(type, schema, payload, 7), { ...context, isWhole: true });
    const place = { run: 'a', version: 7, at: AT, type, schema };
    expect(read).toMatchObject({
      kind: 'unreadable',
      ...place,
      because,
      detail: detail === null ? null : expect.stringContaining(detail),
    });
  },
);

test('an upcast that fails on what it is given is a misfit, not an error', () => {
  const events = z.discriminatedUnion('type', [
    fact('review.given', { words: z.int() }, [({ remark }) => ({ words: (remark as string).length })]),
  ]);
  const read = readEvent(recorded('review.given', 1, {}), { ...context, vocabulary: vocabularyOf(events) });
  expect(read).toMatchObject({ because: 'misfit', detail: expect.stringContaining('it does not become schema 2') });
});

test('a fact keeps its upcasts when a rule is added to it', () => {
  const ruled = fact('review.given', { words: z.int() }, [unchanged]).refine(({ payload }) => payload.words > 0);
  expect(vocabularyOf(z.discriminatedUnion('type', [ruled])).get('review.given')).toMatchObject({
    schema: 2,
    upcasts: [unchanged],
  });
});

test('a later program may say more under a known number, and less is a misfit', () => {
  const more = recorded('review.given', 3, { approved: true, remark: 'fine', tone: 'warm' });
  expect(readEvent(more, { ...context, isWhole: true })).toMatchObject({ kind: 'event' });
});

test('a run is read by the events of its own loop, from its start on', () => {
  const reading = new Reading([...catalogue, reviewed]);
  const given = recorded('review.given', 3, { approved: true, remark: 'fine' }, 2);
  expect(reading.read(started('reviewed@1')).kind).toBe('event');
  expect(reading.read(given).kind).toBe('event');
  expect(reading.read(recorded('iteration.started', 1, { iteration: 0, startedAt: AT }))).toMatchObject({
    because: 'unknown_type',
  });
});

test('of a run of an unknown loop only the events common to all loops are read', () => {
  const reading = new Reading();
  expect(reading.read(started('reviewed@1', 'loopfold@9.9.9')).kind).toBe('event');
  expect(reading.read(recorded('run.steered', 1, { text: 'faster' })).kind).toBe('event');
  const step = reading.read(recorded('step.started', 1, { step: 0, startedAt: AT }));
  expect(step).toMatchObject({
    because: 'unknown_loop',
    writtenBy: { machine: 'reviewed@1', program: 'loopfold@9.9.9' },
  });
});

test('from a migration on, it is read by the events of the next version', () => {
  const second = {
    id: 'reviewed@2',
    events: z.discriminatedUnion('type', [...lifeFacts, fact('review.ended', {})]),
  } as const;
  const reading = new Reading([reviewed, second]);
  reading.read(started('reviewed@1'));
  expect(reading.read(recorded('review.ended', 1, {}))).toMatchObject({ because: 'unknown_type' });
  reading.read(recorded('run.migrated', 1, { from: 'reviewed@1', to: 'reviewed@2' }));
  expect(reading.read(recorded('review.ended', 1, {})).kind).toBe('event');
});

test.each([
  ['this version of the program', PROGRAM, 'event'],
  ['another one', 'loopfold@9.9.9', 'unreadable'],
  ['one that did not say', undefined, 'unreadable'],
] as const)('a payload that was written by %s is taken as it stands: %s, %s', (_who, program, kind) => {
  const reading = new Reading();
  reading.read(started('turn@1', program));
  expect(reading.read(recorded('warning.raised', 3, {})).kind).toBe(kind);
});

test('a payload of a loop that does not ship is parsed whole, because its module can change', () => {
  const own = { ...reviewed, module: { path: 'reviewed.loop.ts', digest: 'abc' } };
  const strange = recorded('review.given', 3, { approved: true }, 2);
  for (const reading of [new Reading([...catalogue, own]), new Reading([...catalogue, own], { machine: own.id })]) {
    reading.read(started(own.id, PROGRAM));
    const read = reading.read(strange);
    expect(read).toMatchObject({ because: 'misfit', detail: expect.stringMatching(/^payload\.remark: /) });
    expect(read.kind === 'unreadable' && unreadableRemedy(read)).toBe(
      'Put the schema in the module of its loop back, or give the fact an upcast to the new one: ' +
        'the log is not damaged, the schema has changed under the same version of reviewed@1.',
    );
  }
});

test('the program that resumes a run is named as the writer of its later events that cannot be read', () => {
  const reading = new Reading();
  reading.read(started('turn@1', PROGRAM));
  reading.read(recorded('run.resumed', 2, { idleMs: 0, program: 'loopfold@9.9.9' }));
  const read = reading.read(recorded('weather.changed', 1, {}));
  expect(read.kind === 'unreadable' && [unreadableText(read), unreadableRemedy(read)]).toEqual([
    'no event that turn@1 has here',
    'Use loopfold@9.9.9, which wrote it.',
  ]);
});

test('a run.started that cannot be read still names the program that wrote it', () => {
  const read = new Reading().read(
    recorded('run.started', 99, { machine: 'turn@4', program: 'loopfold@9.9.9', task: 'x' }),
  );
  expect(read).toMatchObject({
    because: 'later_schema',
    knownSchema: 14,
    writtenBy: { machine: 'turn@4', program: 'loopfold@9.9.9' },
  });
});

test('the first event of a log that cannot be read is found, payloads included', async () => {
  const log = memoryLog();
  const lease = await take(log, 'a');
  const events = [
    envelope({ machine: 'turn@1', settings, program: PROGRAM } as Json, { type: 'run.started', schema: 2 }),
    envelope({ text: 'faster' }, { type: 'run.steered' }),
    envelope({}, { type: 'run.steered' }),
  ];
  await appended(log.append({ run: 'a', events, expectedVersion: 0, epoch: lease.epoch }));
  expect((await all(readEvents(log, 'a'))).map(({ kind }) => kind)).toEqual(['event', 'event', 'event']);
  expect(await firstUnreadable(log, 'a')).toMatchObject({ version: 3, because: 'misfit' });
  const [, , last] = await all(log.read('a'));
  expect(() => last && factOf(last)).toThrow(UnreadableError);
});

test('every event of the loops that ship is in a vocabulary', () => {
  const types = TurnEvent.options.map(({ shape }) => shape.type.value);
  expect([...vocabularyOf(TurnEvent).keys()].toSorted()).toEqual(types.toSorted());
});
