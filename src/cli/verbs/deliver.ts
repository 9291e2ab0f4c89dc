import { amount } from '../../projections/phrases.ts';
import { asJson } from '../pages/as-json.ts';
import { reportLines, reportStatus } from '../pages/report-lines.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** Tries to deliver every report that is owed in the log, whichever run it is of. */
export async function deliver(session: Session, { json }: { readonly json?: boolean }): Promise<number> {
  const { out, err } = session.streams;
  const loops = await session.loops('write');
  try {
    const result = await loops.deliver();
    const [owed, givenUp] = [result.owed.map(reportStatus), result.givenUp.map(reportStatus)];
    if (json) out.line(asJson({ delivered: result.delivered, owed, givenUp }, 2));
    else {
      out.line(`${amount(result.delivered, 'report')} delivered`);
      for (const line of reportLines([...owed, ...givenUp], process.env)) err.line(err.colours.yellow(line));
    }
    return owed.length > 0 ? EXIT.owed : EXIT.success;
  } finally {
    await loops.log.close();
  }
}
