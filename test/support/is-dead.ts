import { readFile } from 'node:fs/promises';

/** Whether a process is dead, or was never there. One that is dead and not yet reaped is dead. */
export async function isDead(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat === '' || /\) [ZX] /.test(stat);
}
