import type { LiveTelemetry } from '../../app/otlp/live-telemetry.ts';
import type { TreesTelemetry } from '../../app/otlp/trees-telemetry.ts';
import type { App } from '../../app/app.ts';
import { plain } from '../../text/one-line.ts';
import { shortId } from '../args/find-run.ts';

interface Lines {
  readonly line: (text: string) => void;
}

/** The collector that the environment names is told what runs do, as by other programs. Null: it names none. */
export async function telemetryHere(loops: App): Promise<LiveTelemetry | null> {
  if (!namesCollector()) return null;
  // Loaded late: few people have one.
  const { liveTelemetry } = await import('../../app/otlp/live-telemetry.ts');
  return liveTelemetry(loops, process.env);
}

/** The same of all runs that work in a process which many of them pass through. */
export async function treesTelemetryHere(err: Lines): Promise<TreesTelemetry | null> {
  if (!namesCollector()) return null;
  const { TreesTelemetry: Trees } = await import('../../app/otlp/trees-telemetry.ts');
  return new Trees(process.env, (run, untold) => warnOfRest(run, untold, err));
}

/** Sends what a run has left, and says what did not arrive. */
export async function tellTheRest(telemetry: LiveTelemetry | null, run: string, err: Lines): Promise<void> {
  const untold = await telemetry?.end();
  if (untold) warnOfRest(run, untold, err);
}

function namesCollector(): boolean {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact, OTEL_EXPORTER_OTLP_ENDPOINT: base } = process.env;
  return Boolean(exact) || Boolean(base);
}

const warnOfRest = (run: string, untold: string, err: Lines): void =>
  err.line(`warning: ${plain(untold)}; send them by: export ${shortId(run)} --otlp URL`);
