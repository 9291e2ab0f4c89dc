import { nearest } from '../config/nearest.ts';
import type { Detector } from './detector.ts';
import { identicalCalls } from './identical-calls.ts';

/** Three identical calls stop a turn in every profile: `off` turns off what is beyond that. */
const PROFILES: ReadonlyMap<string, readonly Detector[]> = new Map([
  ['default', [identicalCalls()]],
  ['off', [identicalCalls()]],
]);

export type Profile =
  | { readonly kind: 'detectors'; readonly detectors: readonly Detector[] }
  | { readonly kind: 'unknown'; readonly known: readonly string[]; readonly suggestion: string | null };

/** The detectors of a profile. They keep no state of their own and may be shared by all runs. */
export function detectorsOf(profile: string): Profile {
  const detectors = PROFILES.get(profile);
  if (detectors) return { kind: 'detectors', detectors };
  const known = [...PROFILES.keys()];
  return { kind: 'unknown', known, suggestion: nearest(profile, known) };
}
