import { readdirSync } from 'node:fs';
import { RunTelemetry } from '../../src/app/otlp/run-telemetry.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { logOf, readHistory } from '../histories/history.ts';

const FOLDER = new URL('../histories/', import.meta.url);
type Value =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly Value[] } };

export interface OtlpAttribute {
  readonly key: string;
  readonly value: Value;
}

/** A span as the protocol has it. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events: readonly {
    readonly timeUnixNano: string;
    readonly name: string;
    readonly attributes: readonly OtlpAttribute[];
  }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: 0 | 2; readonly message?: string };
}

/** The files of all recorded histories. */
export const HISTORIES: readonly string[] = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));

/** The spans of the runs at the top of a recorded history, and of those below them. */
export const spansOf = async (name: string, withContent = false): Promise<readonly OtlpSpan[]> =>
  (await spanTextsOf(name, withContent)).map((text) => JSON.parse(text) as OtlpSpan);

/** The same spans as they are sent. */
export async function spanTextsOf(name: string, withContent = false): Promise<readonly string[]> {
  const history = readHistory(new URL(name, FOLDER));
  const log = await logOf(history);
  const spans: string[] = [];
  for (const record of await log.runs()) {
    if (record.parentEffect !== null) continue;
    spans.push(...(await new RunTelemetry({ log, definitions: shippedLoops }, withContent).advance(record)));
  }
  await log.close();
  return spans;
}
