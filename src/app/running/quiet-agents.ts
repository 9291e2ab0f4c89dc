import type { Observable, Subscription } from 'rxjs';
import { AGENT_QUIET } from '../../../machines/agent-report.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Live } from '../../runtime/own-tree.ts';
import type { AppHost } from '../app-host.ts';

/**
 * Tells the run at the top of a tree that an agent of others below it is silent, so that its activities and webhooks
 * say so long before the silence ends the attempt. A run that has no room for a warning is not told.
 */
export function tellQuiet(
  { supervisor }: Pick<AppHost, 'supervisor'>,
  { run, facts }: Pick<Live, 'run'> & { readonly facts: Observable<Envelope> },
): Subscription {
  return facts.subscribe({
    next: (fact) => {
      const { code, message } = Object(fact.payload) as { readonly code?: unknown; readonly message?: unknown };
      if (fact.run === run || fact.type !== 'warning.raised' || code !== AGENT_QUIET) return;
      const payload = { code: AGENT_QUIET, message: String(message) };
      supervisor.send(run, { type: 'warning.raised', payload }).catch(() => {});
    },
    error: () => {},
  });
}
