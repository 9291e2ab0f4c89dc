import type { Log } from '../../../src/log/log.ts';
import type { FakeClock } from '../../support/fake-clock.ts';

/** Makes an empty log of the engine under test, closed with the test. Store time is noon, or what the clock says. */
export type Fresh = (clock?: FakeClock) => Promise<Log>;
