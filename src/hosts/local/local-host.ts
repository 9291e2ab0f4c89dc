import type { Ceilings } from '../../config/defaults.ts';
import type { Log } from '../../log/log.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Redact, RedactFor } from '../../kernel/react.ts';
import { Supervisor } from '../../runtime/supervisor.ts';
import { endHolder } from './end-holder.ts';
import { sqliteHolds } from './holds/sqlite-holds.ts';
import { userHolds } from './holds/user-holds.ts';
import type { WorkspaceHolds } from './holds/workspace-holds.ts';
import { knownLoops } from './known-loops.ts';
import { localHandlers } from './local-handlers.ts';
import { assertLoopsOptions, type LoopsOptions } from './loops-options.ts';
import { Reporting } from './reporting.ts';
import { redactorFor, secretsOf } from './secrets.ts';
import { localServices, type Services } from './services.ts';

/** What runs in this process share: the log, the loops, the services, and the supervisor over them. */
export interface LocalHost {
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
  readonly variables: NonNullable<LoopsOptions['environment']>;
  /** Takes secrets out of what is to be recorded. */
  readonly redact: Redact;
  /** The same, by what the commands of a run see. */
  readonly redactFor: RedactFor;
  readonly warn: (message: string) => void;
  /** What a person has allowed for good in the project of a folder. */
  readonly permitted: NonNullable<LoopsOptions['permitted']>;
}

/** Throws an `OptionsError` where an option is invalid, and where one of `loops` cannot be hosted. */
export function localHost(options: LoopsOptions): LocalHost {
  assertLoopsOptions(options);
  const {
    log,
    loops = [],
    ceilings = {},
    secrets,
    holds,
    warn = process.emitWarning,
    permitted = async () => [],
    ...serviceOptions
  } = options;
  const { providers, environment, environment: variables = process.env } = serviceOptions;
  const definitions = knownLoops(loops);
  const services = localServices(serviceOptions, { log, loops: definitions });
  const redactFor = redactorFor(secrets ?? secretsOf(providers, environment));
  const supervisor = new Supervisor({
    log,
    loops: definitions,
    makeHandlers: (run, settings, loop) => localHandlers(run, settings, loop, services),
    redactFor,
    endHolder,
    clock: services.clock,
  });
  const said = (message: string) => warn(message);
  for (const warning of log.warnings) said(warning);
  return {
    log,
    definitions,
    ceilings,
    services,
    supervisor,
    holds: holdsOf(holds),
    reporting: new Reporting({ log, loops: definitions, clock: services.clock, variables, warn: said }),
    variables,
    redact: redactFor({}),
    redactFor,
    warn: said,
    permitted,
  };
}

function holdsOf(path: LoopsOptions['holds']): WorkspaceHolds | null {
  if (path === null) return null;
  return path === undefined ? userHolds(process.env) : sqliteHolds(path);
}
