import { type Option, environmentOf, flagOf } from '../options/option-table.ts';
import { type Config, Config as ConfigSchema, configKeys } from './config.ts';
import { type ConfigFault, faultsOf } from '../options/config-fault.ts';

/** The sources of options, by precedence: an earlier one wins over a later one. */
export const LAYERS = ['flag', 'variable', 'agent', 'project', 'user', 'confirmed'] as const;
export type LayerKind = (typeof LAYERS)[number];

/** The options of one source. */
export interface Layer {
  readonly kind: LayerKind;
  readonly values: Config;
  /** The file it is read from. */
  readonly file?: string;
  /** The text of a JSON file, in which lines can be found. */
  readonly text?: string;
  /** Lines of options, where the file is not JSON. */
  readonly lines?: ReadonlyMap<string, number>;
}

export type Path = readonly PropertyKey[];

/** Where a value comes from: a flag, a variable, or FILE:LINE. */
export async function placeOf(layer: Layer, path: Path): Promise<string> {
  const [option = ''] = path;
  if (layer.kind === 'flag') return flagOf(String(option));
  if (layer.kind === 'variable') return environmentOf(String(option));
  const line = layer.text === undefined ? layer.lines?.get(String(option)) : await lineIn(layer.text, path);
  return `${layer.file}${line === undefined || line === null ? '' : `:${line}`}`;
}

/** A fault with the place of the faulty value, so that the user can go there. */
export async function placed(fault: ConfigFault, layer: Layer): Promise<ConfigFault> {
  const path = fault.field.split(/[.[\]]+/).filter((part) => part !== '');
  if (layer.kind === 'flag') return fault;
  const place = await placeOf(layer, fault.flag === null ? [] : path);
  return layer.kind === 'variable' ? { ...fault, flag: place } : { ...fault, flag: null, file: place };
}

/** The faults of the values of a layer by itself. */
export async function layerFaults(layer: Layer): Promise<ConfigFault[]> {
  const parsed = ConfigSchema.safeParse(layer.values);
  if (parsed.success) return [];
  return Promise.all(faultsOf(parsed.error, layer.values, configKeys).map((fault) => placed(fault, layer)));
}

/** The effective values, and the layer that each comes from. Each provider has its own. */
export interface Merged {
  readonly values: Config;
  readonly from: ReadonlyMap<Option, Layer>;
  readonly providersFrom: ReadonlyMap<string, Layer>;
}

/**
 * One value for each option: that of the highest precedence. Lists replace each other; each provider counts as one
 * value.
 */
export function merge(layers: readonly Layer[]): Merged {
  const lowestFirst = layers.toSorted((one, other) => LAYERS.indexOf(other.kind) - LAYERS.indexOf(one.kind));
  const said = lowestFirst.flatMap((layer) =>
    Object.entries(layer.values).flatMap(([option, value]) => (value === undefined ? [] : [{ layer, option, value }])),
  );
  const providers = said.flatMap(({ layer, option, value }) =>
    option === 'providers' ? Object.entries(value).map(([name, settings]) => ({ layer, name, settings })) : [],
  );
  const values: Config = Object.fromEntries(said.map(({ option, value }) => [option, value]));
  const merged = Object.fromEntries(providers.map(({ name, settings }) => [name, settings]));
  return {
    values: providers.length === 0 ? values : { ...values, providers: merged as NonNullable<Config['providers']> },
    from: new Map(said.map(({ option, layer }) => [option as Option, layer])),
    providersFrom: new Map(providers.map(({ name, layer }) => [name, layer])),
  };
}

/** The line, from 1, on which a value of a JSON text begins; null where the text has no such value. */
export async function lineIn(json: string, path: readonly PropertyKey[]): Promise<number | null> {
  // JSON is YAML, and the YAML parser knows positions. It runs only for a message to the user.
  const { LineCounter, parseDocument, isNode } = await import('yaml');
  const counter = new LineCounter();
  const document = parseDocument(json, { lineCounter: counter });
  const keys = path.map((key) => (/^\d+$/.test(String(key)) ? Number(key) : String(key)));
  for (let length = keys.length; length > 0; length -= 1) {
    const node = document.getIn(keys.slice(0, length), true);
    if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
  }
  return null;
}
