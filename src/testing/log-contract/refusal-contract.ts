import type { Json } from '../../log/envelope.ts';
import { MAX_EVENT_BYTES } from '../../log/event-store.ts';
import { all, appended, AT, decided, fact, history, take, type Contract } from './contract.ts';

/** The promises about what an append refuses, and in what words. */
export function refusals(contract: Contract): void {
  refusingByState(contract);
  refusingPayloads(contract);
  throwingForBugs(contract);
}

/** Refusals for what the log already has: another version, an ending, a child of the same effect. */
function refusingByState({ fresh, expect, test }: Contract): void {
  test('conflict: says where the run really is, and writes nothing', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 2);
    const append = (run: string, expectedVersion: number) =>
      log.append({ run, events: [fact()], expectedVersion, epoch });
    expect(await append('a', 1)).toEqual({ kind: 'conflict', version: 2 });
    expect(await append('a', 3)).toEqual({ kind: 'conflict', version: 2 });
    await take(log, 'b');
    expect(await append('b', 1)).toEqual({ kind: 'conflict', version: 0 });
    expect(await all(log.read('a'))).toHaveLength(2);
  });

  test('closed: after its ending a run takes nothing, and says which ending', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'a', 1);
    await appended(
      log.append({ run: 'a', events: [decided('success')], expectedVersion: 1, epoch, closes: 'success' }),
    );
    const late = await log.append({ run: 'a', events: [fact()], expectedVersion: 2, epoch });
    expect(late).toEqual({ kind: 'closed', ending: 'success' });
    expect(await log.run('a')).toMatchObject({ version: 2, closed: 'success' });
  });

  test('duplicate_child: an effect opens one run, and says which', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'parent', 1);
    const open = (run: string) =>
      log.append({ run, events: [fact()], expectedVersion: 0, epoch, parentEffect: 'parent/1/0' });
    expect(await open('child')).toMatchObject({ kind: 'appended' });
    expect(await open('twin')).toEqual({ kind: 'duplicate_child', run: 'child' });
    expect(await open('child')).toEqual({ kind: 'duplicate_child', run: 'child' });
    expect(await log.run('twin')).toBeNull();
  });
}

/** Refusals of events that cannot be recorded: they are no JSON, or too large. */
function refusingPayloads({ fresh, expect, test }: Contract): void {
  test('not_json: names event, path and what was found, and none of the events is written', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const append = (payload: unknown) =>
      log.append({ run: 'a', events: [fact(), fact(payload as Json)], expectedVersion: 0, epoch });
    const date = await append({ calls: [{ at: new Date() }] });
    expect(date).toEqual({ kind: 'not_json', index: 1, path: '$.calls[0].at', found: 'an instance of Date' });
    expect(await append({ $blob: 'x' })).toMatchObject({ kind: 'not_json', path: '$.$blob' });
    expect(await log.run('a')).toBeNull();
  });

  test('too_large: says how large and how large it may be', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const append = (length: number) =>
      log.append({ run: 'a', events: [fact('x'.repeat(length))], expectedVersion: 0, epoch });
    const bytes = MAX_EVENT_BYTES + 1;
    const limitBytes = MAX_EVENT_BYTES;
    expect(await append(bytes - 2)).toEqual({ kind: 'too_large', index: 0, bytes, limitBytes });
    expect(await append(limitBytes - 2)).toMatchObject({ kind: 'appended' });
  });
}

/** Appends that break the protocol throw: they are bugs of the caller. */
function throwingForBugs({ fresh, expect, test }: Contract): void {
  test('what is no append at all is a bug, and says what was expected', async () => {
    const log = await fresh();
    const { epoch } = await take(log, 'a');
    const append = { run: 'a', events: [fact()], expectedVersion: 0, epoch };
    await expect(log.append({ ...append, events: [] })).rejects.toThrow('at least one event');
    await expect(log.append({ ...append, run: '../a' })).rejects.toThrow('run "../a"');
    await expect(log.append({ ...append, expectedVersion: 0.5 })).rejects.toThrow('expectedVersion 0.5');
    await expect(log.append({ ...append, parentEffect: 'b' })).rejects.toThrow('RUN/version/n');
    await expect(log.append({ ...append, parentEffect: 'a/1/0' })).rejects.toThrow('cannot open itself');
    await expect(log.append({ ...append, parentEffect: 'b/1/0' })).rejects.toThrow('does not know the run');
    await expect(log.append({ ...append, expectedVersion: 1, parentEffect: 'b/1/0' })).rejects.toThrow('only opens');
    await expect(log.append({ ...append, events: [fact({}, { at: '2026-03-01' })] })).rejects.toThrow('RFC 3339');
    for (const at of [`+01${AT}`, '2026-02-29T12:00:00.000Z', '2026-03-01T24:00:00.000Z', '2026-13-01T12:00:00.000Z'])
      await expect(log.append({ ...append, events: [fact({}, { at })] })).rejects.toThrow('RFC 3339');
    await expect(log.append({ ...append, events: [fact({}, { schema: 0 })] })).rejects.toThrow('schema 0');
    await expect(log.append({ ...append, events: [fact({}, { type: '' })] })).rejects.toThrow('expected a name');
    await expect(log.append({ ...append, events: [fact({}, { mark: '\uD800' })] })).rejects.toThrow(
      'mark has a lone surrogate',
    );
    expect(await log.runs()).toEqual([]);
  });
}
