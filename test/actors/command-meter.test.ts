import { expect, onTestFinished, test } from 'vitest';
import { meterOf } from '../../src/actors/command-meter.ts';

test('D17 where the system does not tell the CPU time, a command has none', () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const meter = meterOf({ leader: process.pid, mark: 'none' });
  expect(meter(true)).toEqual({ wallMs: expect.any(Number), cpuMs: null });
});
