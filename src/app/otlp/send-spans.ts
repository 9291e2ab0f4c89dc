import { VERSION } from '../../log/program-version.ts';
import { GENAI } from './genai-names.ts';
import { type OtlpSpan, otlpRequest } from './otlp-json.ts';

/** The place that takes spans, and headers for it. */
export interface Collector {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TRACES = '/v1/traces';
const SEND_MS = 10_000;
/** Spans of one request. */
const MAX_SPANS = 512;

type Environment = Readonly<Record<string, string | undefined>>;

/** The body of a request with these spans, as text. */
export const otlpText = (spans: readonly OtlpSpan[]): string =>
  JSON.stringify(otlpRequest(spans, VERSION, GENAI.schema));

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

/** Sends spans by pieces. Returns why the first one that failed did, and how many were sent. */
export async function sendSpans(
  { url, headers }: Collector,
  spans: readonly OtlpSpan[],
): Promise<{ readonly sent: number; readonly failure: string | null }> {
  for (let sent = 0; sent < spans.length; sent += MAX_SPANS) {
    const failure = await posted(url, headers, otlpText(spans.slice(sent, sent + MAX_SPANS)));
    if (failure !== null) return { sent, failure };
  }
  return { sent: spans.length, failure: null };
}

/** A redirection is not followed: the headers may hold a key. */
async function posted(url: string, headers: Collector['headers'], body: string): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(SEND_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered with ${response.status}`;
  } catch (error) {
    const { cause } = Object(error) as { readonly cause?: { readonly code?: string } };
    return cause?.code ?? (error instanceof Error ? error.message : String(error));
  }
}
