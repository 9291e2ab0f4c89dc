import type { Observable } from 'rxjs';
import type { Envelope } from '../../log/envelope.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Question } from '../../projections/questions.ts';
import { readQuestions } from '../../projections/read-questions.ts';
import { type Loaded, rebuild } from '../../runtime/load-run.ts';
import type { LocalHost } from './local-host.ts';
import { factsOf } from './run-facts.ts';

/** The runs of one log, to read. */
export class RecordedRuns {
  readonly log: Log;
  /** The loops that its runs may be: those that ship, and those given. */
  readonly definitions: readonly LoopDefinition[];

  constructor({ log, definitions }: Pick<LocalHost, 'log' | 'definitions'>) {
    this.log = log;
    this.definitions = definitions;
  }

  runs(): Promise<readonly RunRecord[]> {
    return this.log.runs();
  }

  /** The facts of any run, past ones first, then as they are recorded. */
  events(run: string): Observable<Envelope> {
    return factsOf(this.log, run);
  }

  /** The state at any version. Reads the log and touches nothing else. */
  rebuild(run: string, at?: number): Promise<Loaded> {
    return rebuild(this.log, run, at, this.definitions);
  }

  /** What a run, and the attempts below it, wait for people to answer. Null where the log has no such run. */
  questions(run: string): Promise<readonly Question[] | null> {
    return readQuestions(this.log, run, this.definitions);
  }
}
