import type { Ceilings } from '../options/defaults.ts';
import type { Environment } from '../actors/model/endpoint.ts';
import type { Log } from '../log/log.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Redact, RedactFor } from '../kernel/react.ts';
import type { Services } from '../ports/services.ts';
import type { WorkspaceHolds } from '../ports/workspace-holds.ts';
import type { Watch } from '../runtime/own-tree.ts';
import type { Supervisor } from '../runtime/supervisor.ts';
import type { Reporting } from './running/report-delivery.ts';

/** The host of the runs of a process, as the use cases see it: the log, the loops, the services, the supervisor. */
export interface AppHost {
  readonly log: Log;
  /** The loops that its runs may be: those that ship, and those given. */
  readonly definitions: readonly LoopDefinition[];
  readonly ceilings: Partial<Ceilings>;
  readonly services: Services;
  readonly supervisor: Supervisor;
  /** Null: runs of this host work without regard to each other. */
  readonly holds: WorkspaceHolds | null;
  readonly reporting: Reporting;
  /** The variables of the environment, where secrets of webhooks are. */
  readonly variables: Environment;
  /** Takes secrets out of what is to be recorded. */
  readonly redact: Redact;
  /** The same, by what the commands of a run see. */
  readonly redactFor: RedactFor;
  readonly warn: (message: string) => void;
  /** Subscribes to every tree of runs that works here, beside the watch of its caller. Null: nothing does. */
  readonly watch: Watch | null;
  /** What a person has allowed for good in the project of a folder. */
  readonly permitted: (directory: string) => Promise<readonly string[]>;
}
