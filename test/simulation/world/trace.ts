import type { NewEvent } from '../../../src/log/envelope.ts';
import type { VirtualTime } from './virtual-time.ts';

const MAX_LINES = 2_000;

/** What happened in a world, a line each: the newest ones. */
export class Trace {
  readonly lines: string[] = [];
  readonly #time: VirtualTime;

  constructor(time: VirtualTime) {
    this.#time = time;
  }

  note(who: string, what: string): void {
    this.lines.push(`${String(Math.floor(this.#time.now)).padStart(7)} ms  ${who.padEnd(9)} ${what}`);
    if (this.lines.length > MAX_LINES) this.lines.shift();
  }

  events(who: string, run: string, events: readonly NewEvent[]): void {
    this.note(who, `${run}: ${events.map(textOf).join(', ')}`);
  }
}

const textOf = ({ type, payload }: NewEvent): string =>
  type.endsWith('.failed') || type === 'abort.requested' ? `${type} ${JSON.stringify(payload)}` : type;
