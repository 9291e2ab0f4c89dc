import { type Config, DEFAULTS } from '../../config/config.ts';
import { type Option, OPTIONS } from '../../options/option-table.ts';
import { CODER } from '../../config/agents/coder.ts';
import { SHIPPED_CODER } from '../../config/agents/agent.ts';
import { head } from '../../text/excerpt.ts';
import { withoutSecrets } from '../../config/without-secrets.ts';
import { configJsonSchema } from '../../config/json-schema.ts';
import { type Layer, placeOf } from '../../config/layer.ts';
import type { Effective, LeftOut } from '../../config/load-config.ts';
import { untrusted } from '../args/session-config.ts';
import { plain } from '../../projections/phrases.ts';
import { EXIT } from '../terminal/exit-status.ts';
import type { Session } from '../session.ts';
import { columns } from '../pages/table.ts';
import { models } from './models.ts';

export interface ConfigFlags {
  readonly json?: boolean;
  readonly origin?: boolean;
  readonly schema?: boolean;
  readonly models?: boolean;
}

const SHOWN_CHARS = 160;

/** One option with its effective value. */
interface Entry {
  readonly option: string;
  /** Null if no layer sets it and it has no default. */
  readonly value: unknown;
  readonly origin: string;
}

/** The effective configuration. Keys are left out: a reader of the output need not know them. */
export async function config(session: Session, flags: ConfigFlags): Promise<number> {
  const { out } = session.streams;
  if (flags.schema) {
    out.line(JSON.stringify(configJsonSchema(), null, 2));
    return EXIT.success;
  }
  const effective = await session.configWithLeftOut();
  if (flags.models) return models(session.streams, effective.values.providers ?? {}, flags);
  const ofAgent = effective.values.agent === undefined ? { agent: CODER, ...SHIPPED_CODER.options } : {};
  const shown = withoutSecrets({ ...DEFAULTS, ...ofAgent, ...effective.values });
  if (flags.json && !flags.origin) {
    out.line(JSON.stringify(shown, null, 2));
    return trusted(effective);
  }
  const entries = await entriesOf(shown, effective);
  if (flags.json) {
    const said = entries.map(({ option, value, origin }) => [option, { value, origin }] as const);
    out.line(JSON.stringify(Object.fromEntries(said), null, 2));
    return trusted(effective);
  }
  const rows = entries.map(({ option, value, origin }) =>
    [option, ...(flags.origin ? [origin] : []), textOf(value)].map(plain),
  );
  for (const line of columns(rows)) out.line(line);
  for (const one of effective.leftOut) for (const line of leftOutLines(one)) out.line(line);
  return trusted(effective);
}

/** The success of a page that has all. Throws a `Complaint` where a file is left out. */
function trusted({ leftOut: [first] }: Effective): number {
  if (first) throw untrusted(first);
  return EXIT.success;
}

/** Lists what a file says that is not in force. */
function leftOutLines({ file, reason, value }: LeftOut): readonly string[] {
  const head = `not in force, since ${file} is not trusted (${reason})`;
  if (typeof value !== 'object' || value === null)
    return ['', plain(`${head}: what it says is not known before it runs`)];
  const rows = Object.entries(value).map(([option, said]) => [`  ${option}`, textOf(said)].map(plain));
  return ['', plain(`${head}:`), ...columns(rows)];
}

async function entriesOf(shown: Config, { from, providersFrom }: Effective): Promise<Entry[]> {
  const entries = await Promise.all(
    OPTIONS.map(async (option) => {
      if (option === 'providers') return providerEntries(shown, providersFrom);
      return [{ option, value: shown[option] ?? null, origin: await originOf(from.get(option), [option]) }];
    }),
  );
  return entries.flat();
}

function providerEntries(shown: Config, from: ReadonlyMap<string, Layer>): Promise<Entry[]> {
  return Promise.all(
    Object.entries(shown.providers ?? {}).map(async ([name, value]) => ({
      option: `providers.${name}`,
      value,
      origin: await originOf(from.get(name), ['providers', name]),
    })),
  );
}

const originOf = async (layer: Layer | undefined, path: readonly [Option, ...string[]]): Promise<string> =>
  layer ? placeOf(layer, path) : 'default';

function textOf(value: unknown): string {
  if (value === null) return '-';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ') || 'none';
  return onOneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Only the first line of a long text, such as a system prompt. */
function onOneLine(text: string): string {
  const [first = '', ...others] = text.split('\n');
  return head(others.length === 0 ? first : `${first} …`, SHOWN_CHARS);
}
