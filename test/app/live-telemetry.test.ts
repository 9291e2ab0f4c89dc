import { expect, test } from 'vitest';
import { LiveTelemetry } from '../../src/app/otlp/live-telemetry.ts';
import { RunTelemetry } from '../../src/app/otlp/run-telemetry.ts';
import { sendSpans } from '../../src/app/otlp/send-spans.ts';
import type { Log } from '../../src/log/log.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { ask, office, untilWaiting } from '../hosts/local/office.ts';
import { repository } from '../git/repository.ts';
import { busyFor, collector, takes } from './collector.ts';

type Harness = ReturnType<typeof office>;
type Place = Awaited<ReturnType<typeof collector>>;

const script = { answers: [{ calls: [ask('Which?')] }, { text: 'done' }] };

async function options() {
  const { root, commit } = await repository({ 'x.txt': 'x' });
  await commit();
  const settings = { loop: 'iteration', sandbox: 'off', maxIterations: 1 } as const;
  return { ...settings, checks: ['true'], tools: ['ask_user'], prompt: 'Do it.', directory: root };
}

/** A run of attempts that asks a question, is left, is resumed, and ends; told to a collector both times. */
async function toldTwice({ log, loops }: Harness, { to }: Place) {
  const host = { log, definitions: shippedLoops };
  const first = new LiveTelemetry(host, to, false);
  const live = await loops().start(await options(), (_facts, _deltas, steps) => first.follow(steps));
  await untilWaiting(live);
  await live.pause('waiting');
  await live.done;
  const said = [await first.end()];
  const second = new LiveTelemetry(host, to, false);
  const again = await loops().resume(live.run, (_facts, _deltas, steps) => second.follow(steps));
  if (again.kind !== 'live') throw new Error(again.kind);
  await untilWaiting(again.live);
  const [question] = (await loops().questions(live.run)) ?? [];
  await loops().answer(question?.run ?? live.run, { text: 'this' });
  await again.live.done;
  said.push(await second.end());
  return { run: live.run, said };
}

async function exportOf(log: Log, run: string): Promise<readonly string[]> {
  const record = await log.run(run);
  if (!record) throw new Error(`no run ${run}`);
  return new RunTelemetry({ log, definitions: shippedLoops }, false).advance(record);
}

test('W4 a run with a child, a wait and a resume is told while it works as an export tells it', async () => {
  const [harness, place] = [office(script), await collector()];
  const { run, said } = await toldTwice(harness, place);
  const exported = await exportOf(harness.log, run);
  expect(said).toEqual([null, null]);
  expect(exported.filter((span) => span.includes('"name":"invoke_agent')).length).toBe(1);
  expect(exported.filter((span) => span.includes('"name":"loopfold.wait"')).length).toBeGreaterThan(0);
  expect(exported.filter((span) => span.includes('"links":[{')).length).toBeGreaterThan(0);
  expect([...place.spans.values()].toSorted()).toEqual(exported.toSorted());
  await harness.log.close();
});

test('W4 a run that is told from its start on is told without a look into its log', async () => {
  const [{ log, start }, place] = [office({ answers: [{ text: 'done' }] }), await collector()];
  const unread = new Proxy(log, {
    get: (target, name) => (name === 'pages' || name === 'read' ? undefined : Reflect.get(target, name)),
  });
  const telemetry = new LiveTelemetry({ log: unread, definitions: shippedLoops }, place.to, false);
  const live = await start({}, (_facts, _deltas, steps) => telemetry.follow(steps));
  await live.done;
  expect(await telemetry.end()).toBeNull();
  expect([...place.spans.values()].toSorted()).toEqual((await exportOf(log, live.run)).toSorted());
  await log.close();
});

/** Tells a run of one answer to a collector. Returns what was said at its end, and how long that took. */
async function told(place: Pick<Place, 'to'>) {
  const { log, start } = office({ answers: [{ text: 'done' }] });
  const telemetry = new LiveTelemetry({ log, definitions: shippedLoops }, place.to, false);
  const live = await start({}, (_facts, _deltas, steps) => telemetry.follow(steps));
  const { kind } = await live.done;
  const from = performance.now();
  const said = await telemetry.end();
  const spans = await exportOf(log, live.run);
  await log.close();
  return { kind, said, ms: performance.now() - from, spans };
}

test('W4 a collector that is full is left alone as long as it asks, and the next export sends the rest', async () => {
  const place = await collector(busyFor(30));
  const { kind, said, ms, spans } = await told(place);
  expect([kind, said, place.asked.length]).toEqual([
    'ended',
    expect.stringMatching(/^2 spans were not taken by 127.* \(it answered with 503 and asks to wait 30 s\)$/),
    1,
  ]);
  expect(ms).toBeLessThan(3_000);
  place.answers(takes);
  expect(await sendSpans(place.to, spans)).toEqual({ sent: 2, failure: null });
  expect([...place.spans.values()]).toEqual(spans);
});

test('W4 a collector that is full for a second gets the spans then, from a run and from an export', async () => {
  const place = await collector(busyFor(1));
  setTimeout(() => place.answers(takes), 500);
  const { said, spans } = await told(place);
  expect([said, place.spans.size]).toEqual([null, 2]);
  place.answers((answer) => {
    busyFor(1)(answer);
    place.answers(takes);
  });
  expect(await sendSpans(place.to, spans)).toEqual({ sent: 2, failure: null });
  const [earlier = 0, last = 0] = place.asked.slice(-2).map(({ at }) => at);
  expect(last - earlier).toBeGreaterThanOrEqual(1_000);
});

test('W4 a collector that never answers holds the end of a run up for at most five seconds', async () => {
  const { kind, said, ms } = await told(await collector(() => {}));
  expect([kind, said]).toEqual(['ended', expect.stringContaining('(no answer in time)')]);
  expect(ms).toBeLessThan(7_000);
});

test('W4 spans that a collector refuses or rejects are counted, and not sent again', async () => {
  const refusing = await collector((answer) => void answer.writeHead(400).end());
  expect((await told(refusing)).said).toMatch(/^2 spans were not taken by .* \(it answered with 400\)$/);
  expect(refusing.asked.length).toBe(1);
  const rejecting = { partialSuccess: { rejectedSpans: '1', errorMessage: 'too old' } };
  const picky = await collector((answer) => void answer.end(JSON.stringify(rejecting)));
  const { said, spans } = await told(picky);
  expect(said).toMatch(/^1 spans were not taken by .* \(it rejected them: too old\)$/);
  expect(await sendSpans(picky.to, spans)).toEqual({ sent: 1, failure: 'it rejected them: too old' });
});
