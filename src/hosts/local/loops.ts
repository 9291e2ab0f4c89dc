import { App } from '../../app/app.ts';
import { localHost } from './local-host.ts';
import type { LoopsOptions } from './loops-options.ts';

/**
 * Loops in one log, executed on this machine.
 *
 * @example
 * const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
 * const run = await loops.start({ prompt: 'Say that it is done.', loop: 'turn' });
 * const end = await run.done;
 */
export class Loops extends App {
  /** Throws an `OptionsError` where an option is invalid, and where one of `loops` cannot be hosted. */
  constructor(options: LoopsOptions) {
    super(localHost(options));
  }
}
