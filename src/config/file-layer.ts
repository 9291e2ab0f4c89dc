import type { Config } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { faultSentence } from '../options/fault-sentence.ts';
import { fromFolder } from './from-folder.ts';
import { type Layer, layerFaults } from './layer.ts';
import { loadCode } from './load-code.ts';

export type FileLayer =
  | { readonly kind: 'layer'; readonly layer: Layer }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** The options of a configuration file. A file that is code is run: check first whether it is trusted. */
export async function fileLayer(file: ConfigFile, kind: 'project' | 'user'): Promise<FileLayer> {
  const said = file.json ? { kind: 'config' as const, config: file.json.value } : await loadCode(file.path);
  if (said.kind === 'failed') return refused([`${file.path} ${said.why}`]);
  const values = withoutSchema(said.config) as Config;
  const layer = { kind, values, file: file.path, ...(file.json ? { text: file.text } : {}) };
  const faults = await layerFaults(layer);
  if (faults.length > 0) return refused(faults.map(faultSentence));
  return { kind: 'layer', layer: { ...layer, values: fromFolder(values, file.folder) } };
}

const refused = (problems: readonly string[]): FileLayer => ({ kind: 'refused', problems });

/** Editors find the schema of a JSON file by this key. */
function withoutSchema(config: unknown): unknown {
  if (typeof config !== 'object' || config === null || !('$schema' in config)) return config;
  const { $schema: _schema, ...rest } = config;
  return rest;
}
