import type { Finding } from '../../machines/outcome.ts';
import { placeOf } from '../detectors/detector.ts';

/** The stretch of a run that a nudge was about, by the versions of its events. */
export interface Told {
  readonly run: string;
  readonly from: number;
  readonly to: number;
}

/** A call and its result lie this far apart: detectors cite the one or the other. */
const NEAR = 3;
/** So much of its evidence makes it the same thing: some detectors cite their newest events alone. */
const LEAST_SHARE = 0.5;
const MAX_TOLD = 20;

/**
 * A nudge about a stretch of a run of which the model was told before is only noted: several detectors see one thing,
 * and one sentence says it. `told` are the stretches so far.
 */
export function oneNudge(finding: Finding, told: readonly Told[]): { finding: Finding; told: readonly Told[] } {
  if (finding.level !== 'nudge') return { finding, told };
  const places = finding.evidence.map(placeOf);
  const known = places.filter(({ run, version }) =>
    told.some((one) => one.run === run && version >= one.from - NEAR && version <= one.to + NEAR),
  );
  if (known.length >= places.length * LEAST_SHARE) return { finding: { ...finding, level: 'observe' }, told };
  const run = places.at(-1)?.run ?? '';
  const versions = places.filter((place) => place.run === run).map(({ version }) => version);
  const stretch = { run, from: Math.min(...versions), to: Math.max(...versions) };
  return { finding, told: [...told, stretch].slice(-MAX_TOLD) };
}
