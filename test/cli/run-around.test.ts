import { expect, test } from 'vitest';
import { processesAbove } from '../../src/actors/processes-above.ts';
import { enclosingRun } from '../../src/cli/args/run-around.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';

test.runIf(process.platform === 'linux')(
  'T9 where there are more processes above than are looked at, the call is taken for one of a run',
  async () => {
    const { processes, isCut } = await processesAbove();
    expect(isCut).toBe(false);
    expect(processes[0]?.pid).toBe(process.pid);
    expect(processes.map(({ pid }) => pid)).toContain(process.ppid);
    const log = memoryLog();
    expect(await enclosingRun(log)).toBe(null);
    expect(await enclosingRun(log, processes.length - 1)).toMatchObject({
      run: null,
      because: `there are more than ${processes.length - 1} processes above it`,
    });
  },
);
