// The JSON of the OpenTelemetry protocol (OTLP 1.x), as far as spans need it.

/** A value of an attribute: 64-bit numbers are written as texts. */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

export interface OtlpAttribute {
  readonly key: string;
  readonly value: AnyValue;
}

/** `kind`: 1 is internal, 3 a client. `status.code`: 0 is unset, 2 an error. */
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

/** Attributes by name; those without a value are left out. */
export type Named = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

export const attributesOf = (named: Named): readonly OtlpAttribute[] =>
  Object.entries(named).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: valueOf(value) }],
  );

function valueOf(value: string | number | boolean | readonly string[]): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.map((one) => ({ stringValue: one })) } };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

const NANOSECONDS_A_MILLISECOND = 1_000_000n;

/** A time of an event as nanoseconds since 1970. */
export const nanoseconds = (at: string): string => `${BigInt(Date.parse(at)) * NANOSECONDS_A_MILLISECOND}`;

/** The body of a request with these spans. */
export const otlpRequest = (spans: readonly OtlpSpan[], version: string, schemaUrl: string): object => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf({ 'service.name': 'loopfold', 'service.version': version }) },
      scopeSpans: [{ scope: { name: 'loopfold', version }, schemaUrl, spans }],
    },
  ],
});
