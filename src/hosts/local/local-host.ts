import type { AppHost } from '../../app/app-host.ts';
import { Supervisor } from '../../runtime/supervisor.ts';
import { endHolder } from './end-holder.ts';
import { sqliteHolds } from './holds/sqlite-holds.ts';
import { userHolds } from './holds/user-holds.ts';
import type { WorkspaceHolds } from '../../ports/workspace-holds.ts';
import { knownLoops } from '../../app/start/loop-names.ts';
import { localHandlers } from './local-handlers.ts';
import { assertLoopsOptions, type LoopsOptions } from './loops-options.ts';
import { Reporting } from '../../app/running/report-delivery.ts';
import { redactorFor, secretsOf } from './secrets.ts';
import { localServices } from './local-services.ts';
import { App } from '../../app/app.ts';

/**
 * The host of runs in this process, on this machine. Throws an `OptionsError` where an option is invalid, and where one
 * of `loops` cannot be hosted.
 */
export function localHost(options: LoopsOptions): AppHost {
  assertLoopsOptions(options);
  const {
    log,
    loops = [],
    ceilings = {},
    secrets,
    holds,
    warn = process.emitWarning,
    permitted = async () => [],
    watch = null,
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
    watch,
  };
}

function holdsOf(path: LoopsOptions['holds']): WorkspaceHolds | null {
  if (path === null) return null;
  return path === undefined ? userHolds(process.env) : sqliteHolds(path);
}

/**
 * Loops in one log, executed on this machine.
 *
 * @example
 * const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
 * const run = await loops.start({ prompt: 'Say that it is done.', loop: 'turn' });
 * const end = await run.done;
 */
export class Loops extends App {
  /** Throws an `OptionsError` where an option is invalid, and where one of `loops` cannot be hosted. */
  constructor(options: LoopsOptions) {
    super(localHost(options));
  }
}
