import type { LiveTelemetry } from '../../app/otlp/live-telemetry.ts';
import type { App } from '../../app/app.ts';
import { shortId } from '../args/find-run.ts';

/** The collector that the environment names is told what runs do, as by other programs. Null: it names none. */
export async function telemetryHere(loops: App): Promise<LiveTelemetry | null> {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact, OTEL_EXPORTER_OTLP_ENDPOINT: base } = process.env;
  if (!exact && !base) return null;
  // Loaded late: few people have one.
  const { liveTelemetry } = await import('../../app/otlp/live-telemetry.ts');
  return liveTelemetry(loops, process.env);
}

/** Sends what a run has left, and says what did not arrive. */
export async function tellTheRest(
  telemetry: LiveTelemetry | null,
  run: string,
  err: { readonly line: (text: string) => void },
): Promise<void> {
  const untold = await telemetry?.end();
  if (untold) err.line(`warning: ${untold}; send them by: export ${shortId(run)} --otlp URL`);
}
