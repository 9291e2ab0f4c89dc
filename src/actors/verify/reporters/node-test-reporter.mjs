// Reports what node:test runs. Alone it prints what Node would print without it; with `?beside` in its address it
// stands beside another reporter, and prints nothing.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { spec, tap } from 'node:test/reporters';

const { beginReport, saidOf } = createRequire(import.meta.url)('./record.cjs');

/** Since this version Node prints `spec` into pipes, too. */
const SPEC_EVERYWHERE = 23;
const printsSpec = process.stdout.isTTY || Number(process.versions.node.split('.')[0]) >= SPEC_EVERYWHERE;
const isBeside = import.meta.url.endsWith('?beside');

export default async function* report(events) {
  const seen = recorded(events);
  if (isBeside) yield* silenced(seen);
  else yield* printsSpec ? Readable.from(seen).pipe(new spec()) : tap(seen);
}

async function* silenced(events) {
  for await (const { type } of events) if (type === '') yield type;
}

async function* recorded(events) {
  const record = beginReport('node:test');
  /** The tests that have begun and not ended, by file. */
  const open = new Map();
  /** The newest test of each file, until it has ended. */
  const running = new Map();
  for await (const event of events) {
    if (record) note(record, { open, running }, event);
    yield event;
  }
  record?.end();
}

function note(record, { open, running }, { type, data }) {
  const { file = null, name, nesting } = data ?? {};
  const path = open.get(file) ?? [];
  if (type === 'test:start') open.set(file, [...path.slice(0, nesting), name]);
  if (type === 'test:start') running.set(file, open.get(file));
  if (type !== 'test:pass' && type !== 'test:fail') return;
  const hasFailed = type === 'test:fail';
  const { type: kind, error } = data.details ?? {};
  if (nesting === 0 && file !== null && resolve(name) === resolve(file)) {
    // The file itself: tests of its own it has reported already.
    const last = hasFailed ? running.get(file) : undefined;
    if (last && !(last.length === 1 && resolve(last[0]) === resolve(file))) record.start(file, last);
    if (hasFailed) record.add(file, [], 'failed', messageOf(error));
    return;
  }
  running.delete(file);
  if (kind === 'suite' && !(hasFailed && error?.failureType !== 'subtestsFailed')) return;
  const isLeftOut = isSet(data.skip) || isSet(data.todo);
  const result = hasFailed ? 'failed' : 'passed';
  record.add(file, [...path.slice(0, nesting), name], isLeftOut ? 'skipped' : result, messageOf(error));
}

const isSet = (mark) => mark !== undefined && mark !== false;

const messageOf = (error) => (error?.cause?.message === undefined ? (error?.message ?? '') : saidOf(error.cause));
