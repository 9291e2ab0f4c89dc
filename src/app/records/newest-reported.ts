import { loopNameOf } from '../../kernel/loop-definition.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import type { AppHost } from '../app-host.ts';

/** The newest run whose loop has reports. Null: there is none. */
export async function newestReported({
  log,
  definitions,
}: Pick<AppHost, 'log' | 'definitions'>): Promise<string | null> {
  const reported = new Set(definitions.filter(({ describe }) => describe.report).map(({ id }) => loopNameOf(id)));
  for (const { run } of (await log.newest(Number.MAX_SAFE_INTEGER)).runs) {
    const settings = await readSettings(log, run);
    if (settings && reported.has(settings.loop)) return run;
  }
  return null;
}
