import type { EventOf } from '../../../../../machines/events.ts';
import type { DiscoverySource } from '../../../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../../../machines/improvement-options.ts';
import type { Fault } from '../../../../../machines/outcome.ts';
import type { RunSettings } from '../../../../../machines/settings.ts';
import type { Usage } from '../../../../../machines/usage.ts';
import type { FileIn, Found } from '../../discovery/finding-facts.ts';
import type { ReportedError } from '../../../../ports/effect-records.ts';
import type { Tried } from '../../memory.ts';
import type { Said } from '../../../../actors/model/ask-within.ts';

/** What a source may look at, and how. */
export interface Looking {
  readonly run: string;
  /** Its `directory` is the head of the loop. */
  readonly settings: RunSettings;
  readonly options: ImprovementOptions['phases'];
  /** How the checks go on the head. Null: there are none, or they were not run apart. */
  readonly baseline: EventOf<'baseline.taken'>['payload'] | null;
  /** The files of the head, from its folder, without those that git ignores. Listed once. */
  readonly files: () => Promise<readonly string[]>;
  readonly fileIn: () => Promise<FileIn>;
  /** Errors in the recorded runs of this project, but for those of this run. */
  readonly earlierErrors: () => Promise<readonly ReportedError[]>;
  /** What the sources before it have found. */
  readonly found: readonly Found[];
  readonly tried: readonly Tried[];
  /** Asks the model of the discovery, within its reservation. */
  readonly ask: (prompt: string) => Promise<Said>;
  readonly signal: AbortSignal;
}

/** What a source came to. Beside a fault there may be items: what could be read. */
export interface Finds {
  readonly items: readonly Found[];
  readonly fault?: Fault;
  readonly usage?: Usage;
}

/** One place where improvements are looked for. It may throw: that is its fault, and the others go on. */
export interface Source {
  readonly name: DiscoverySource;
  /** Whether it may find something else in the same tree. */
  readonly canChange: (options: ImprovementOptions['phases']) => boolean;
  readonly find: (of: Looking) => Promise<Finds>;
}

export const never = (): boolean => false;
export const always = (): boolean => true;

export const faultyFinds = (code: string, message: string): Finds => ({ items: [], fault: { code, message } });
