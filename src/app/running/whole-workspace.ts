import type { RunSettings } from '../../../machines/settings.ts';
import { newestOf } from '../../kernel/loop-definition.ts';
import type { AppHost } from '../app-host.ts';
import { mayWrite } from '../../loops/turn/effects/may-write.ts';
import { captured, type Taken } from '../../loops/shared/effects/untold-capture.ts';

// The captures that no fact of a run names: the workspace as it found it, and as it left it. `diff`, `apply` and `undo`
// rest on them.

export type Host = Pick<AppHost, 'definitions'> & { readonly services: Pick<AppHost['services'], 'capture'> };

export interface Marked {
  readonly host: Host;
  readonly run: string;
  readonly settings: RunSettings;
}

/** Runs below another one are part of its change. */
export const isCaptured = ({ settings, host }: Marked): boolean => {
  const loop = newestOf(settings.loop, host.definitions);
  return settings.parent === null && loop !== undefined && mayWrite(settings, loop);
};

/** Captures its workspace under a number, as no fact of it tells. Null: under none. */
export const capturedAsMarked = (
  { host: { services }, run, settings }: Marked,
  number: Parameters<typeof captured>[1],
): Promise<Taken> => captured({ services, run, settings }, number);
