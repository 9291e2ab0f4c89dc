import { describe, expect, test } from 'vitest';
import { testInTurn } from '../../support/in-turn.ts';
import { calling, workspace } from './workspace.ts';

const isTold = process.platform === 'linux';

/** Burns so much CPU time in a process of its own, however long that takes: the system ends it then. */
const burning = (seconds: number) => `ulimit -c 0; ulimit -t ${seconds}; sh -c "while :; do :; done"`;

/** The type of the result of a command, and its times. A CPU time that the system does not tell is -1. */
async function timesOf(command: string, { directory = '', timeoutSeconds = 120 } = {}) {
  const place = directory || (await workspace()).directory;
  const [event] = await calling(place, 'shell', { command, timeoutSeconds });
  if (event?.type !== 'tool.completed' && event?.type !== 'tool.failed') throw new Error(JSON.stringify(event));
  const { wallMs = -1, cpuMs = null } = event.payload.took ?? {};
  return { type: event.type, wallMs, cpuMs: cpuMs ?? -1 };
}

describe('the time that a command took', () => {
  test('D17 is there for the shortest one, too', async () => {
    const { type, wallMs, cpuMs } = await timesOf('true');
    expect(type).toBe('tool.completed');
    expect(wallMs).toBeGreaterThan(0);
    expect(cpuMs).toBeGreaterThanOrEqual(isTold ? 0 : -1);
  });

  testInTurn.runIf(isTold)('D17 shows that it has waited', async () => {
    const { wallMs, cpuMs } = await timesOf('sleep 6; true');
    expect(wallMs).toBeGreaterThanOrEqual(6_000);
    expect(wallMs).toBeLessThan(9_000);
    expect(cpuMs).toBeLessThan(wallMs * 0.05);
  });

  // Bounds are wide, and not of the wall time: a busy machine gives a process less than half of a core.
  testInTurn.runIf(isTold)('D17 shows that a process of its own has worked', async () => {
    const { wallMs, cpuMs } = await timesOf(`(${burning(2)}) & wait`);
    expect(wallMs).toBeGreaterThanOrEqual(1_900);
    expect(cpuMs).toBeGreaterThanOrEqual(1_000);
    expect(cpuMs).toBeLessThan(4_000);
  });

  testInTurn.runIf(isTold)('D17 shows work that was left to itself, in a session of its own', async () => {
    const left = `(setsid sh -c '(${burning(1)}); touch over' &)`;
    const { cpuMs } = await timesOf(`${left}; while ! [ -e over ]; do sleep 0.3; done`);
    expect(cpuMs).toBeGreaterThan(300);
  });

  testInTurn.runIf(isTold)('D17 is its own, when another one that has worked ends in the same moment', async () => {
    const { directory } = await workspace();
    await calling(directory, 'shell', { command: 'mkfifo over' });
    const [waited, worked] = await Promise.all([
      timesOf('cat over', { directory }),
      timesOf(`(${burning(3)}); echo >over`, { directory }),
    ]);
    expect(worked.cpuMs).toBeGreaterThan(1_000);
    expect(waited.cpuMs).toBeLessThan(worked.cpuMs / 2);
  });

  testInTurn.runIf(isTold)('D17 is there when it ran out of time, too', async () => {
    const { type, wallMs, cpuMs } = await timesOf('sh -c "while :; do :; done" & wait', { timeoutSeconds: 2 });
    expect(type).toBe('tool.failed');
    expect(wallMs).toBeGreaterThanOrEqual(1_990);
    expect(cpuMs).toBeGreaterThan(100);
    expect(cpuMs).toBeLessThanOrEqual(wallMs);
  });
});
