import type { EventOf } from '../../machines/events.ts';
import { inSeconds } from '../text/time-span.ts';

/** The warning that the machine's clock has jumped, so that a page tells why its times differ from others. */
export function jumpWarning(jumpedMs: number): EventOf<'warning.raised'> {
  const by = `${jumpedMs > 0 ? 'ahead' : 'back'} by ${inSeconds(Math.round(Math.abs(jumpedMs) / 1_000))}`;
  const message = `The clock jumped ${by}, which is not counted: it was set, or the machine slept.`;
  return { type: 'warning.raised', payload: { code: 'clock_jumped', message } };
}
