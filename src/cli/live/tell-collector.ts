import type { LiveTelemetry } from '../../app/otlp/live-telemetry.ts';
import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import { shortId } from '../args/find-run.ts';

/** Spans of a run go to the collector that the environment names, as those of other programs do. */
export async function tellCollector(
  loops: App,
  { run }: LiveRun,
  err: { readonly line: (text: string) => void },
): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: exact, OTEL_EXPORTER_OTLP_ENDPOINT: base } = process.env;
  if (!exact && !base) return async () => {};
  // Loaded late: few people have one.
  const { followed } = await import('../../app/otlp/live-telemetry.ts');
  const telemetry: LiveTelemetry | null = await followed(loops, run, process.env);
  return async () => {
    const unsent = await telemetry?.end();
    if (unsent) err.line(`warning: ${unsent}; send them by: export ${shortId(run)} --otlp URL`);
  };
}
