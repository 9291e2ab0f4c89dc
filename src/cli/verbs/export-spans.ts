import { RunTelemetry } from '../../app/otlp/run-telemetry.ts';
import { CONTENT_VARIABLE } from '../../app/otlp/genai-names.ts';
import { collectorAt } from '../../app/otlp/collector.ts';
import { otlpText } from '../../app/otlp/otlp-json.ts';
import { sendSpans } from '../../app/otlp/send-spans.ts';
import { IntactTree } from '../../runtime/intact.ts';
import { findRun, type RunReference } from '../args/find-run.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT } from '../terminal/exit-status.ts';

/** Reads the spans of a run and of those below it, and sends them to a collector, or returns them as one text. */
export async function exportSpans(
  session: Session,
  reference: RunReference,
  address: string | undefined,
): Promise<string | null> {
  const collector = address === undefined ? null : collectorAt(address, process.env);
  if (address !== undefined && collector === null)
    throw usage('--otlp', 'an address that begins with http:// or https://', `'${address}'`, ['export', '--help']);
  const loops = await session.reading({ runs: [reference], otherwise: 'warn' });
  const record = await findRun(loops.log, reference);
  await new IntactTree(loops.log, record.run).assert();
  const spans = await new RunTelemetry(loops, process.env[CONTENT_VARIABLE] === 'true').advance(record);
  await loops.log.close();
  if (!collector) return otlpText(spans);
  const { sent, failure } = await sendSpans(collector, spans);
  if (failure !== null)
    throw new Complaint(EXIT.environment, `${address} took ${sent} of ${spans.length} spans: ${failure}`, null);
  session.streams.err.line(`${sent} spans sent to ${new URL(collector.url).host}`);
  return null;
}
