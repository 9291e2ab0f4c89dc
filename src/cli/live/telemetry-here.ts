import { collectorOf } from '../../app/otlp/collector.ts';
import type { LiveTelemetry } from '../../app/otlp/live-telemetry.ts';
import type { TreesTelemetry } from '../../app/otlp/trees-telemetry.ts';
import type { App } from '../../app/app.ts';
import { plain } from '../../text/one-line.ts';
import { shortId } from '../args/find-run.ts';

interface Lines {
  readonly line: (text: string) => void;
}

/** The collector that the environment names is told what runs do, as by other programs. Null: it names none. */
export async function telemetryHere(loops: App, err: Lines): Promise<LiveTelemetry | null> {
  if (!namesCollector(err)) return null;
  // Loaded late: few people have one.
  const { liveTelemetry } = await import('../../app/otlp/live-telemetry.ts');
  return liveTelemetry(loops, process.env);
}

/** The same of all runs that work in a process which many of them pass through. */
export async function treesTelemetryHere(err: Lines): Promise<TreesTelemetry | null> {
  if (!namesCollector(err)) return null;
  const { TreesTelemetry: Trees } = await import('../../app/otlp/trees-telemetry.ts');
  return new Trees(process.env, (run, untold) => warnOfRest(run, untold, err));
}

/** Sends what a run has left, and says what did not arrive. */
export async function tellTheRest(telemetry: LiveTelemetry | null, run: string, err: Lines): Promise<void> {
  const untold = await telemetry?.end();
  if (untold) warnOfRest(run, untold, err);
}

/** Tells whether the environment names a collector. One that cannot be is told: its spans would be missed later. */
function namesCollector(err: Lines): boolean {
  const named = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find((name) => process.env[name]);
  if (named === undefined || process.env['OTEL_SDK_DISABLED'] === 'true') return false;
  if (collectorOf(process.env)) return true;
  err.line(`warning: no spans are sent: ${named} is no address such as http://127.0.0.1:4318`);
  return false;
}

const warnOfRest = (run: string, untold: string, err: Lines): void =>
  err.line(`warning: ${plain(untold)}; send them by: export ${shortId(run)} --otlp URL`);
