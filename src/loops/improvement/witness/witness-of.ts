import type { EventOf } from '../../../../machines/events.ts';
import type { Discovery, Witness } from '../../../../machines/improvement-facts.ts';
import { head } from '../../../text/excerpt.ts';
import type { Acceptance } from '../planning/plan-memory.ts';

const MAX_TEXT_CHARS = 500;

/** What is known of a candidate before it is tried. */
export interface Known {
  /** How the checks went on the head. Null: they did not run. */
  readonly baseline: EventOf<'baseline.taken'>['payload'] | null;
  readonly acceptance: Acceptance | null;
}

/**
 * Names what will show that a candidate is done: a test by name, an error, an interval of a benchmark, lines without a
 * test, or an acceptance test. `none`, with the reason, where nothing will.
 *
 * @example
 * witnessOf(discovery, { baseline, acceptance: null }).kind; // 'test'
 */
export function witnessOf(discovery: Discovery, { baseline, acceptance }: Known): Witness {
  const witness = (kind: Witness['kind'], text: string): Witness => ({ kind, text: head(text, MAX_TEXT_CHARS) });
  const { source, title, check } = discovery;
  switch (source) {
    case 'failing-tests':
    case 'skipped-tests':
      return baseline?.tests.some((one) => one.check === check)
        ? witness('test', title)
        : witness('none', `the check ${check} names no tests: no runner that is known reports them`);
    case 'type-errors':
    case 'lint':
      return witness('error', title);
    case 'benchmarks':
      return witness('interval', `the benchmark ${check}`);
    case 'coverage':
      return witness('lines', title);
    default:
      if (acceptance && 'test' in acceptance)
        return witness(
          'acceptance',
          `${acceptance.test.path}: ${acceptance.test.red.map(({ name }) => name).join('; ')}`,
        );
      return witness('none', acceptance?.refused ?? 'no acceptance test was written for it');
  }
}
