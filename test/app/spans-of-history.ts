import { readdirSync } from 'node:fs';
import type { OtlpSpan } from '../../src/app/otlp/otlp-json.ts';
import { RunTelemetry } from '../../src/app/otlp/run-telemetry.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { logOf, readHistory } from '../histories/history.ts';

const FOLDER = new URL('../histories/', import.meta.url);
/** The files of all recorded histories. */
export const HISTORIES: readonly string[] = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

/** The spans of the runs at the top of a recorded history. */
export async function spansOf(name: string, withContent = false): Promise<readonly OtlpSpan[]> {
  const history = readHistory(new URL(name, FOLDER));
  const log = await logOf(history);
  const spans: OtlpSpan[] = [];
  for (const record of await log.runs()) {
    if (record.parentEffect !== null) continue;
    spans.push(...(await new RunTelemetry({ log, definitions: shippedLoops }, record, withContent).advance()));
  }
  await log.close();
  return spans;
}
