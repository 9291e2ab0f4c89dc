import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../src/cli/terminal/exit-status.ts';
import { hasJumpingClock, jumpingClock } from '../support/jumping-clock.ts';
import { loopfold, Program, project } from './program.ts';

const HOUR_S = 3_600;
/** Far more than a run of two commands takes, and far less than the jump. */
const LIMIT = '20m';
const MOST_MS = 120_000;

const script = {
  answers: [
    { calls: [{ tool: 'shell', arguments: { command: 'touch begun; while [ ! -e go ]; do sleep 0.05; done' } }] },
    { text: 'done' },
  ],
};

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(20);
}

/** A run whose command is under way, under a clock that is about to jump. */
async function underWay(limit: string) {
  const clock = jumpingClock();
  const cwd = await project(script, {}, false);
  const words = ['run', '-m', 'script:model.json', '--loop', 'turn', '--max-time', limit, 'Do it.'];
  const run = new Program(words, { cwd, env: clock.env });
  onTestFinished(() => void run.signal('SIGKILL'));
  await until(() => existsSync(`${cwd}/begun`));
  return { clock, cwd, run, goOn: () => writeFileSync(`${cwd}/go`, '') };
}

async function recordedTimes(cwd: string): Promise<readonly number[]> {
  const { stdout } = await loopfold(['events', '--last', '--json'], { cwd });
  return stdout
    .trim()
    .split('\n')
    .map((line) => Date.parse((JSON.parse(line) as { readonly at: string }).at));
}

const tookMs = (times: readonly number[]): number => (times.at(-1) ?? 0) - (times[0] ?? 0);

describe.skipIf(!hasJumpingClock)('B3 the clock of the machine jumps while a run is under way', () => {
  test.concurrent.each([
    { name: 'ahead by two hours', seconds: 2 * HOUR_S, said: 'jumped ahead by 2 h 0 min, which is not counted' },
    { name: 'back by a day', seconds: -24 * HOUR_S, said: 'jumped back by 24 h 0 min, which is not counted' },
  ])('B3 $name: no limit is reached, times never go back, and the page says it', { timeout: MOST_MS }, async (jump) => {
    const { clock, cwd, run, goOn } = await underWay(LIMIT);
    clock.jumpTo(jump.seconds);
    goOn();
    expect(await run.ended).toMatchObject({ status: EXIT.success });
    const times = await recordedTimes(cwd);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(tookMs(times)).toBeLessThan(MOST_MS);
    expect((await loopfold(['show', '--last'], { cwd })).stdout).toContain(jump.said);
    expect(await loopfold(['check', '--last'], { cwd })).toMatchObject({ status: EXIT.success });
  });

  test.concurrent('B3 back by a day: a limit of time still ends the run', { timeout: MOST_MS }, async () => {
    const { clock, cwd, run } = await underWay('2s');
    clock.jumpTo(-24 * HOUR_S);
    expect(await run.ended).toMatchObject({ status: EXIT.cap_hit });
    expect(tookMs(await recordedTimes(cwd))).toBeGreaterThanOrEqual(2_000);
  });

  test.concurrent('B3 ahead by two hours: its process keeps the run', { timeout: MOST_MS }, async () => {
    const { clock, cwd, run, goOn } = await underWay(LIMIT);
    clock.jumpTo(2 * HOUR_S);
    expect(await loopfold(['resume', '--last'], { cwd, env: clock.env })).toMatchObject({ status: EXIT.held });
    goOn();
    expect(await run.ended).toMatchObject({ status: EXIT.success });
  });
});
