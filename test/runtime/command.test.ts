import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loop as reviewed } from '../../docs/examples/own-loop/reviewed.loop.ts';
import type { Refusal } from '../../src/kernel/run-message.ts';
import type { InboxEntry } from '../../src/log/inbox-store.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { turnLoop } from '../../src/loops/turn/definition.ts';
import { addressees, type Command, commandOf, isPause, mostRelevant, refusalText } from '../../src/runtime/command.ts';
import * as has from '../support/facts.ts';

const entry = (type: string, payload: unknown) => ({ id: 1, run: 'a', type, payload }) as InboxEntry;
const abort = has.abortRequested();
const answered = has.personAnswered('0.0');
/** A loop without commands of its own. */
const { commands: _, ...mute } = turnLoop;

describe('an entry of an inbox', () => {
  test('is a command of every loop, or one that a loop defines', () => {
    for (const event of [abort, has.paused, has.steered, answered])
      expect(commandOf(entry(event.type, event.payload), shippedLoops)).toEqual(event);
    expect(commandOf(entry(answered.type, answered.payload), [mute])).toBe(
      'person.answered is not a command; known: abort.requested, run.paused, run.steered',
    );
  });

  test('that is no command is refused with the known ones, each once and in order', () => {
    const known = ['abort.requested', 'run.paused', 'run.steered', ...Object.keys(turnLoop.commands ?? {})];
    expect(commandOf(entry('step.started', {}), [turnLoop, turnLoop])).toBe(
      `step.started is not a command; known: ${known.toSorted().join(', ')}`,
    );
  });

  test('that does not fit its schema is refused with the members that are wrong, said once and in one line', () => {
    const { payload } = entry('run.steered', {});
    expect(commandOf(entry('run.steered', payload), shippedLoops)).toMatch(/^not an event: [^;\n]* at payload\.text$/);
  });

  test('that fits none of several schemas is refused with what is wrong by each', () => {
    const { type } = answered;
    const other = z.discriminatedUnion('type', [
      z.object({ type: z.literal(type), payload: z.object({ by: z.string() }) }),
    ]);
    const loops = [turnLoop, { ...turnLoop, events: other }] as unknown as typeof shippedLoops;
    expect(commandOf(entry(type, {}), loops)).toMatch(/^not an event: .* at payload\.callId.*; .* at payload\.by$/);
  });

  test('is a pause by its type', () => expect([has.paused, has.steered].map(isPause)).toEqual([true, false]));
});

describe('a refusal', () => {
  test.each<[Refusal, Command, string]>([
    ['ended', abort, 'the run has ended'],
    ['left', abort, 'the process that served it was just leaving'],
    ['unowned', has.paused, 'no process is running it: it is stopped already, until it is resumed'],
    ['paused', has.paused, 'it is paused already, until it is resumed'],
    ['aborting', has.paused, 'it was aborted, and is about to end'],
    ['not_json', answered, 'its payload is not JSON'],
    ['unexpected', has.steered, 'its ending is decided: it is about to end'],
    ['unexpected', answered, 'call 0.0 is not waiting for a person'],
    ['not_outstanding', answered, 'call 0.0 is not waiting for a person'],
    ['unexpected', abort, 'it cannot be done now'],
  ])('%s of %j says why', (because, command, text) =>
    expect(refusalText(command, { because, loop: turnLoop })).toBe(text),
  );

  test('of a command that the loop does not have says no more than that', () =>
    expect(refusalText(answered, { because: 'unexpected', loop: mute })).toBe('it cannot be done now'));

  test('is told by the first run whose loop has the command, or else by the first', () => {
    const [first, second, third] = [mute, turnLoop, reviewed].map((loop) => ({ because: 'unexpected', loop }) as const);
    if (!first || !second || !third) throw new Error('three runs');
    expect(mostRelevant(answered, [first, second, third])).toBe(second);
    expect(mostRelevant(has.steered, [first, second, third])).toBe(first);
    expect(mostRelevant(has.steered, [])).toBeUndefined();
  });
});

describe('the runs that may take a command', () => {
  const members = [
    { id: 'root', parent: null },
    { id: 'child', parent: 'root' },
    { id: 'grandchild', parent: 'child' },
    { id: 'sister', parent: 'root' },
    { id: 'orphan', parent: 'gone' },
  ];
  const idsOf = (command: Command, named: string) => addressees(command, named, members).map(({ id }) => id);

  test('an abort is for the named run alone', () => expect(idsOf(abort, 'child')).toEqual(['child']));

  test('a pause is for the whole tree', () => expect(idsOf(has.paused, 'child')).toEqual(['root']));

  test('steering is for the runs below first, the deepest of them before', () => {
    expect(idsOf(has.steered, 'root')).toEqual(['grandchild', 'child', 'sister', 'root']);
    expect(idsOf(has.steered, 'child')).toEqual(['grandchild', 'child']);
  });

  test('an answer is for the named run, and then for those below it', () => {
    expect(idsOf(answered, 'root')).toEqual(['root', 'grandchild', 'child', 'sister']);
    expect(idsOf(answered, 'child')).toEqual(['child', 'grandchild']);
  });

  test('a run whose parent is not there is below that parent alone', () => {
    expect(idsOf(has.steered, 'orphan')).toEqual(['orphan']);
    expect(idsOf(has.steered, 'gone')).toEqual(['orphan']);
  });

  test('runs that are each above the other are looked at once', () => {
    const round = [
      { id: 'a', parent: 'b' },
      { id: 'b', parent: 'a' },
    ];
    expect(addressees(has.steered, 'a', round).map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
