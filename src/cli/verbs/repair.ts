import { resolve } from 'node:path';
import { noteWarnings, repair as repaired } from '../../hosts/local/store.ts';
import { amount, plain } from '../../projections/phrases.ts';
import { asJson } from '../pages/as-json.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** Saves what can be read of a damaged log into a new file. The damaged one stays as it is. */
export async function repair(session: Session, into: string, { json = false }: { readonly json?: boolean }) {
  const { out, err } = session.streams;
  const { path } = await session.place();
  if (path === null) throw usage('--log', 'sqlite:PATH: a log in memory is gone with its process', "'memory:'");
  const file = resolve(session.directory, into);
  for (const warning of noteWarnings({ path })) err.line(`warning: ${plain(warning)}`);
  const runs = repaired({ path }, file);
  // A run that has no event any more is not known by a version either.
  const lost = runs.filter(({ saved, known }) => saved < known || saved === 0);
  const unsound = runs.filter(({ saved, known, fault }) => fault !== null && saved === known);
  if (json) out.line(asJson({ file, runs }, 2));
  else {
    for (const { run, saved, known } of lost) out.line(`lost  run ${run}: ${saved} of ${known} versions are saved`);
    for (const { run, fault } of unsound)
      out.line(`unsound  run ${run}: its events are saved, and its row does not fit them, ${plain(fault ?? '')}`);
    const whole = runs.length - lost.length - unsound.length;
    out.line(`${amount(runs.length, 'run')}, ${whole} whole, saved in ${file}`);
  }
  err.line(
    `To use it: move ${path}, its -wal and its .heads away, and put the new file and its .heads in their place.`,
  );
  return lost.length + unsound.length === 0 ? EXIT.success : EXIT.log;
}
