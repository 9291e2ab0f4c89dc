import type { z } from 'zod';
import type { Detector } from './detector.ts';
import type { TraitsOf } from './traits.ts';

/** A detector a run may choose by name: the schema of its numbers, every one with a default, and how to make it. */
export interface DetectorKind<Config extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly config: Config;
  create(config: z.output<Config>, traits: TraitsOf): Detector;
}

/** Forgets which numbers a kind takes: whoever creates one parses them first. */
export const detectorKind = <Config extends z.ZodType>(kind: DetectorKind<Config>): DetectorKind => kind;
