import { resolve } from 'node:path';
import { noteWarnings, repair as repaired } from '../../log/open-store.ts';
import { SALVAGE } from '../../log/log.ts';
import { amount, plain } from '../../projections/phrases.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** Saves what can be read of a damaged log into a new file. The damaged one stays as it is. */
export async function repair(session: Session, into: string, { json = false }: { readonly json?: boolean }) {
  const { out, err } = session.streams;
  const { path, server } = await session.place();
  if (server)
    throw usage('--repair', 'a log in a file: restore the database from a backup, or `loopfold copy` it', server.store);
  if (path === null) throw usage('--log', 'sqlite:PATH: a log in memory is gone with its process', "'memory:'");
  const file = resolve(session.directory, into);
  for (const warning of noteWarnings({ path })) err.line(`warning: ${plain(warning)}`);
  const { runs, reports, commands, isWritten } = repaired({ path }, file);
  // A run that has no event any more is not known by a version either.
  const lost = runs.filter(({ saved, known }) => saved < known || saved === 0);
  const unsound = runs.filter((one) => one.fault !== null && !lost.includes(one));
  if (json) out.line(asJson({ file: isWritten ? file : null, runs, reports, commands }, 2));
  else {
    for (const { run, saved, known, fault } of lost) {
      const because = fault === null || saved > 0 ? '' : `: ${plain(fault)}`;
      out.line(`lost  run ${plain(run)}: ${saved} of ${known} versions are saved${because}`);
    }
    for (const { run, fault } of unsound)
      out.line(`unsound  run ${run}: its events are saved, and its row does not fit them, ${plain(fault ?? '')}`);
    for (const { report, reason } of reports.lost)
      out.line(`lost  undelivered report, ${plain(`${report}: ${reason}`)}`);
    for (const { command, reason } of commands.lost)
      out.line(`lost  waiting command, ${plain(`${command}: ${reason}`)}`);
    const whole = runs.length - lost.length - unsound.length;
    const beside = [
      ...(reports.saved === 0 ? [] : [amount(reports.saved, 'undelivered report')]),
      ...(commands.saved === 0 ? [] : [amount(commands.saved, 'waiting command')]),
    ];
    const owed = beside.length === 0 ? '' : `, with ${beside.join(' and ')}`;
    if (isWritten) out.line(`${amount(runs.length, 'run')}, ${whole} whole${owed}, saved in ${file}`);
  }
  if (!isWritten) err.line(`Nothing of any run could be saved, and ${file} was not written. ${SALVAGE}`);
  else
    err.line(
      `To use it: move ${path}, its -wal and its .heads away, and put the new file and its .heads in their place.`,
    );
  return lost.length + unsound.length + reports.lost.length + commands.lost.length === 0 ? EXIT.success : EXIT.log;
}
