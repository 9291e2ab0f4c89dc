import type { Discovery, DiscoverySource } from '../../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../../machines/improvement-options.ts';

/** What nothing shows today: no test, no error, no number. */
const UNSHOWN: ReadonlySet<DiscoverySource> = new Set(['todos', 'items', 'ideas', 'logs', 'runs']);

/** Tells whether only a test that is written first can show that a finding is done. */
export const needsAcceptance = (
  { source }: Pick<Discovery, 'source'>,
  { witnesses, phases }: Pick<ImprovementOptions, 'witnesses' | 'phases'>,
): boolean => witnesses === true && phases.evaluate.enabled && UNSHOWN.has(source);
