import { plain } from '../../projections/phrases.ts';

/** Why a call is taken for one of a run, and not of a person. */
export interface Enclosing {
  /** Null where there are more processes above this one than are looked at. */
  readonly run: string | null;
  readonly because: string;
}

/** A command of a run tried to record a decision of a person in the log of the run. Nothing was recorded. */
export class InsideRunError extends Error {
  override readonly name = 'InsideRunError';
  readonly code = 'inside_run';
  readonly verb: string;
  /** Null where there are more processes above this one than are looked at. */
  readonly run: string | null;

  constructor(verb: string, { run, because }: Enclosing) {
    const inside = run === null ? 'where it may be inside a run of this log' : `inside run ${run} of this log`;
    super(
      `${verb} records a decision of a person, and is refused ${plain(inside)}: ${plain(because)}. If you are a ` +
        'person, call it from a shell of your own, which no run has started. Verbs that only read work here: show, ' +
        'events, diff, inbox',
    );
    this.verb = verb;
    this.run = run;
  }
}
