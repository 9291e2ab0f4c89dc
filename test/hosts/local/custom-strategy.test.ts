import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import { OptionsError } from '../../../src/app/start/options-error.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { moduleFolder } from '../../support/module-folder.ts';
import { createHarness } from '../../support/harness.ts';
import { ended, history } from '../../support/run-history.ts';
import type { HarnessOptions } from '../../support/harness-options.ts';
import { verdicts } from '../../support/stand-ins.ts';

const CUSTOM = 'custom:./own.mjs#own';
const own = (body: string, more = '') =>
  `export const own = { name: 'mine', async onIterationComplete(event) { ${body} }, ${more} };\n`;

/** A harness where a strategy of this code judges attempts that never pass their check, in a folder with its module. */
async function harnessFor(code: string, more: Partial<HarnessOptions> = {}) {
  const directory = await moduleFolder({ 'own.mjs': code });
  const harness = createHarness({
    model: { answers: [{ text: 'done' }] },
    services: { verify: verdicts(false) },
    ...more,
  });
  const asked = { directory, strategy: CUSTOM, checks: ['false'] };
  return { harness, asked, directory };
}

/** Sees every thread that loads a module, and its end: a connection lives as long as its thread. */
async function threads() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const isOver = (socket: Socket) => socket.destroyed || socket.readableEnded;
  return {
    /** To be put at the top of a module. */
    greeting:
      "import { connect } from 'node:net';\nawait new Promise((greeted) => " +
      `connect(${port}, '127.0.0.1', function () { this.unref(); greeted(); }));\n`,
    get started() {
      return sockets.length;
    },
    /** Resolves when all that were started are gone. */
    gone: () => Promise.all(sockets.map((socket) => (isOver(socket) ? null : once(socket.resume(), 'close')))),
  };
}

describe('L13 a run with a custom strategy', () => {
  testInTurn('L13 has one thread for it, that lives as long as the run and knows nothing of another one', async () => {
    const heard = await threads();
    const counting = own(
      "globalThis.asked = (globalThis.asked ?? 0) + 1; const { asked } = globalThis; return { continue: event.iteration < 2, reason: 'r', metadata: { asked } };",
    );
    const { harness, asked } = await harnessFor(heard.greeting + counting);
    const runs = await Promise.all([harness.play(asked), harness.play(asked)]);
    for (const { facts } of runs) {
      const said = facts.flatMap((fact) =>
        fact.type === 'decision.made' && fact.payload.strategy ? [fact.payload.strategy] : [],
      );
      expect(said).toEqual([1, 2, 3].map((count) => ({ name: 'mine', metadata: { asked: count } })));
      expect(facts.at(-1)).toMatchObject({ type: 'strategy.ended', payload: { strategy: 'mine', fault: null } });
    }
    await heard.gone();
    expect(heard.started).toBe(2);
  });

  testInTurn(
    'L13 loses its thread when it is paused, and is asked again in another one when it is resumed',
    async () => {
      const heard = await threads();
      const body =
        "if (globalThis.process.env.LOOPFOLD_TEST_READY !== 'yes') return new Promise(() => {}); return { continue: false, action: 'complete', reason: 'ready' };";
      const { harness, asked } = await harnessFor(heard.greeting + own(body));
      const first = await harness.start({ ...asked, checks: [] });
      while (heard.started === 0) await new Promise((resolve) => setImmediate(resolve));
      await first.pause('user');
      expect(await first.done).toEqual({ kind: 'paused' });
      await heard.gone();
      process.env['LOOPFOLD_TEST_READY'] = 'yes';
      onTestFinished(() => void delete process.env['LOOPFOLD_TEST_READY']);
      const { outcome } = await ended(await harness.resume(first.run));
      expect(outcome).toMatchObject({ ending: 'success', verified: null });
      await heard.gone();
      expect(heard.started).toBe(2);
      expect((await history(harness.log, first.run)).filter(({ type }) => type === 'child.settled')).toHaveLength(1);
    },
  );

  testInTurn('L13 ends when the strategy never answers, and no thread is left behind', async () => {
    const heard = await threads();
    const { harness, asked } = await harnessFor(heard.greeting + own('for (;;);'), { strategyLimitMs: 1_500 });
    const { run, outcome } = await harness.play(asked);
    expect(outcome).toEqual({
      ending: 'abort',
      cause: 'error',
      fault: { code: 'strategy_timed_out', message: `strategy mine, run ${run}, iteration 1: no answer within 1.5 s` },
    });
    await heard.gone();
  });

  test('L13 T11 is aborted while its strategy thinks', async () => {
    const heard = await threads();
    const { harness, asked } = await harnessFor(heard.greeting + own('for (;;);', 'onLoopEnd() {}'));
    const live = await harness.start(asked);
    while (heard.started === 0) await new Promise((resolve) => setImmediate(resolve));
    await live.abort();
    expect((await ended(live)).outcome).toMatchObject({ ending: 'abort', cause: 'user' });
    await heard.gone();
  });

  test('L1 L13 tells it how it ended, whatever it does with that', async () => {
    const endings = [
      "throw new Error('no goodbyes');",
      'process.exit(2);',
      'setTimeout(() => { throw new Error("late"); }); return new Promise(() => {});',
    ];
    for (const [index, code] of (['strategy_failed', 'strategy_gone', 'strategy_failed'] as const).entries()) {
      const { harness, asked } = await harnessFor(
        own("return { continue: false, action: 'fail', reason: 'enough' };", `async onLoopEnd() { ${endings[index]} }`),
      );
      const { outcome, facts } = await harness.play(asked);
      expect(outcome).toMatchObject({ ending: 'doom_loop', finding: { detector: 'strategy-stop' } });
      expect(facts.at(-1)).toMatchObject({ type: 'strategy.ended', payload: { strategy: 'mine', fault: { code } } });
    }
  });

  test('L13 gives it plain data of its own: what it does to an event changes nothing', async () => {
    const { harness, asked } = await harnessFor(
      own(
        "event.previousIterations.length = 0; event.verificationPassed = true; return { continue: event.iteration < 1, reason: 'r' };",
      ),
    );
    const { outcome } = await harness.play(asked);
    expect(outcome.ending).toBe('doom_loop');
  });

  test('L13 cannot be told by it that failed checks have passed', async () => {
    const { harness, asked } = await harnessFor(
      own("return { continue: false, action: 'complete', reason: 'all is well' };"),
    );
    expect((await harness.play(asked)).outcome).toMatchObject({ ending: 'doom_loop' });
  });

  test('L13 goes on under it after another one, and the other way round', async () => {
    const { harness, asked } = await harnessFor(
      own("return { continue: false, action: 'complete', reason: 'it will do' };"),
    );
    const first = await harness.play({ ...asked, strategy: 'fixed', maxIterations: 1, checks: [] });
    const custom = { name: 'custom', config: { modulePath: './own.mjs', strategyName: 'own' } };
    const second = await harness.extend(first.run, { strategy: custom, limits: { maxIterations: 3 } });
    expect((await ended(second)).outcome).toMatchObject({ ending: 'success', verified: null });
    const { harness: other, asked: unlucky } = await harnessFor(own("throw new Error('no idea');"));
    const third = await other.play(unlucky);
    const fourth = await other.extend(third.run, {
      strategy: { name: 'fixed', config: {} },
      limits: { maxIterations: 2 },
    });
    expect((await ended(fourth)).outcome).toMatchObject({ ending: 'cap_hit', limit: { name: 'iterations', used: 2 } });
  });
});

test('L13 nothing is written of a run whose module gives no strategy; its fault has a code', async () => {
  const directory = await moduleFolder({ 'own.mjs': 'export const other = 1;' });
  execFileSync('git', ['init', '--quiet', directory]);
  const loops = new Loops({
    log: memoryLog(),
    model: { name: 'nobody', answer: () => Promise.reject(new Error('never asked')) },
  });
  for (const begin of [
    () => loops.check({ prompt: 'Go', directory, strategy: CUSTOM }),
    () => loops.start({ prompt: 'Go', directory, strategy: CUSTOM }),
  ]) {
    const error = await begin().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(OptionsError);
    expect(error).toMatchObject({
      faults: [{ code: 'strategy_not_exported', field: 'strategy.config.strategyName', value: 'own' }],
    });
  }
  expect(await loops.runs()).toEqual([]);
});
