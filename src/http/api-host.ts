import type { Approver } from '../../machines/recorded-proof.ts';
import type { ProofOptions } from '../app/views/prove-options.ts';
import type { ServedRuns } from './run-service.ts';
import type { App } from '../app/app.ts';
import type { RunOptions } from '../config/options.ts';

/** Who sends a request. `name` null: a person that no name is known of. */
export interface Person {
  readonly name: string | null;
  readonly email: string | null;
  /** They were shown what they approve, by a door that only a person can open: their rulings bear their name. */
  readonly isKnown: boolean;
}

/** What the HTTP API works on. */
export interface ApiHost {
  readonly loops: App;
  /** The options of a run that the server was configured with. A request goes before them. */
  readonly defaults: Partial<RunOptions>;
  readonly proof: ProofOptions;
  /** Keeps the runs that are started here. Null: nothing is started. */
  readonly kept: ServedRuns | null;
  /** Nothing is started, and no decision of a person is taken. */
  readonly isReadOnly: boolean;
  /** Told of bugs, with their stacks. */
  readonly warn: (message: string) => void;
}

/** What the middleware of a door has found out about a request. */
export interface ApiVariables {
  readonly person: Person;
}

/** The person as a ruling records them. Absent: no person is known. */
export const approverOf = ({ name, email, isKnown }: Person): { readonly by?: Approver } =>
  isKnown && name !== null ? { by: { name, email, door: 'token' } } : {};
