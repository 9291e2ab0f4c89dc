import { readFile } from 'node:fs/promises';
import { recognisesProcesses } from './command-mark.ts';
import { statFields, TICK_MS } from './process-stat.ts';
import { processesAbove } from './processes-above.ts';

/** Places of fields in `/proc/PID/stat`, from the state on. */
const PARENT = 1;
const STARTED = 19;
/** Programs that adopt processes whose parents have ended: to descend from one says nothing. */
const ADOPTS: ReadonlySet<string> = new Set(
  'systemd init launchd tini dumb-init docker-init catatonit s6-svscan runsvdir supervisord'.split(' '),
);

/**
 * Tells whether this process descends from one that was there before a moment, as a person's terminal or multiplexer
 * was: a command that a run started later, and that has left it, descends from what adopted it alone. A process from
 * outside of its namespace counts. Where processes say nothing of their start, the answer is yes.
 */
export async function hasElder(since: Date): Promise<boolean> {
  if (!recognisesProcesses()) return true;
  const [uptime = NaN] = (await readFile('/proc/uptime', 'latin1').catch(() => '')).split(' ').map(Number);
  const bootedAt = Date.now() - uptime * 1000;
  const { processes } = await processesAbove();
  for (const { pid } of processes) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
    const fields = statFields(stat);
    if (pid !== 1 && fields[PARENT] === '0') return true;
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    if (pid === process.pid || ADOPTS.has(name)) continue;
    if (bootedAt + Number(fields[STARTED]) * TICK_MS < since.getTime()) return true;
  }
  return false;
}
