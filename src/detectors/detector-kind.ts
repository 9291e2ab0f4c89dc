import type { z } from 'zod';
import type { Detector } from './detector.ts';
import type { TraitsOf } from './traits.ts';

/**
 * A detector that a run may choose by name. Everything about it stands in its own file: what it is called, its
 * thresholds with their defaults, whether it watches by default, and its text for the guide.
 */
export interface DetectorKind<Config extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** The row of the guide's table, by which the detectors are ordered; its tests are named with it. */
  readonly row: string;
  /** Completes "This detector notices that …". */
  readonly notices: string;
  /** The thresholds. Each has a default. */
  readonly config: Config;
  /** Whether the profile `default` has it, and with which thresholds where they differ from its own defaults. */
  readonly inDefault?: true | Partial<z.input<Config>>;
  /** It watches every run whose choice does not leave it out by name, the profile `off` included. */
  readonly inEveryRun?: true;
  /** It counts calls that are made again, so a user message begins its count anew. */
  readonly countsCalls?: true;
  /** It has a ladder: between its nudge and its stop it refuses a call. */
  readonly climbs?: true;
  /** It says what happened, and that is no circle: a model reads its nudge as it is, and no corpus measures it. */
  readonly reports?: true;
  create(config: z.output<Config>, traits: TraitsOf): Detector;
}

/** A kind without the type of its thresholds: parse them with `config` before `create`. */
export const detectorKind = <Config extends z.ZodType>(kind: DetectorKind<Config>): DetectorKind => kind;
