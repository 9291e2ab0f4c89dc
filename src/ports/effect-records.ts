import type { FlickeringTests } from '../../machines/recorded-proof.ts';
import type { EventOf } from '../../machines/events.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Message } from '../actors/model/model.ts';

/** The conversation of a run that has ended, oldest first. Empty where its loop has none. */
export type EarlierConversations = (run: string) => Promise<readonly Message[]>;

/** An error as it was reported once. */
export interface ReportedError {
  readonly text: string;
  /** For people: the log file, or the run. */
  readonly where: string;
}

/** Finds the errors of other runs of the project of a run. */
export type EarlierErrors = (run: string, settings: RunSettings) => Promise<readonly ReportedError[]>;

/** Finds the tests that turned by themselves in earlier runs of the folder of a run. */
export type FlakyLedger = (run: string, settings: RunSettings) => Promise<FlickeringTests[]>;

/** Finds what people have allowed for good in the tree of a run, by the names that their questions said. */
export type PermittedCalls = (run: string) => Promise<readonly string[]>;

/** Texts of a run and of the runs below it: what its models, tools and people have said. */
export type RecordedTexts = (run: string) => AsyncIterable<string>;

/** What the newest checks of a run have said. Null: none have run. */
export type ChecksOf = (run: string) => Promise<EventOf<'verification.completed'>['payload'] | null>;

/** The knowledge that a log has of other runs. */
export interface EffectRecords {
  readonly conversations: EarlierConversations;
  readonly earlierErrors: EarlierErrors;
  readonly flakyLedger: FlakyLedger;
  readonly permittedCalls: PermittedCalls;
  readonly checksOf: ChecksOf;
  /** Reads what models, tools and people have said in a run and those below it. */
  readonly texts: RecordedTexts;
  /** The run at the top of the tree of a run. */
  readonly rootOf: (run: string) => Promise<string>;
  /** Tells whether a run is another one, or was opened by it or by one below it. */
  readonly isWithin: (run: string, other: string) => Promise<boolean>;
  /** The address of the log that has the runs. Null: there is none. */
  readonly store: string | null;
}
