/** The place that takes spans, and headers for it. */
export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TRACES = '/v1/traces';

type Environment = Readonly<Record<string, string | undefined>>;

/** The collector at an address, with headers of the environment. An address without a path gets the usual one. */
export function collectorAt(address: string, environment: Environment): Collector | null {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return null;
  const url = new URL(address);
  if (url.pathname === '/') url.pathname = TRACES;
  const named = environment['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? environment['OTEL_EXPORTER_OTLP_HEADERS'] ?? '';
  return { url: url.href, headers: headersIn(named) };
}

/** The collector that the environment names by the variables of OpenTelemetry. Null: none. */
export function collectorOf(environment: Environment): Collector | null {
  if (environment['OTEL_SDK_DISABLED'] === 'true') return null;
  const exact = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  if (exact) return collectorAt(exact, environment);
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return base ? collectorAt(`${base.replace(/\/+$/, '')}${TRACES}`, environment) : null;
}

function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === undefined || value === undefined ? [] : [[name, decoded(value)] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
