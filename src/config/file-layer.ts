import { type Config, fromFolder } from './config.ts';
import type { ConfigFile } from './config-file.ts';
import { faultSentence } from '../options/config-fault.ts';
import { type Layer, layerFaults } from './layer.ts';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { head } from '../text/excerpt.ts';

export type LoadedCode =
  | { readonly kind: 'config'; readonly config: unknown }
  /** The end of a sentence that begins with its path. */
  | { readonly kind: 'failed'; readonly why: string };

type Said =
  | { readonly kind: 'config'; readonly config: unknown }
  | { readonly kind: 'threw' | 'no_data'; readonly message: string }
  | { readonly kind: 'no_default'; readonly exports: readonly string[] };

const CODE_LIMIT_MS = 10_000;
const CODE_LIMIT_MB = 256;
const SHOWN_CHARS = 600;

/**
 * The export of a configuration file that is code: data, or a function that returns it. It runs in a thread of its own,
 * so that code that never ends, or ends the process, is detected and stopped. Its output goes to stderr.
 */
export async function loadCode(path: string, limitMs = CODE_LIMIT_MS): Promise<LoadedCode> {
  if (extname(path) === '.ts' && !process.features.typescript) return failed(noTypeScript());
  // The worker lies beside this file: as TypeScript in the sources, compiled in the package.
  const worker = new Worker(new URL(`code-worker${extname(import.meta.url)}`, import.meta.url), {
    workerData: pathToFileURL(path).href,
    resourceLimits: { maxOldGenerationSizeMb: CODE_LIMIT_MB },
    stdout: true,
  });
  worker.stdout.pipe(process.stderr, { end: false });
  try {
    return await answerOf(worker, limitMs);
  } finally {
    await worker.terminate();
  }
}

function answerOf(worker: Worker, limitMs: number): Promise<LoadedCode> {
  return new Promise((resolve) => {
    const tooLong = setTimeout(
      () => resolve(failed(`is not done after ${limitMs} ms. Let it export plain data.`)),
      limitMs,
    );
    worker.once('message', (said: Said) => resolve(readingOf(said)));
    worker.once('error', (error) => resolve(failed(`fails when it is loaded: ${head(String(error), SHOWN_CHARS)}`)));
    worker.once('exit', () => {
      clearTimeout(tooLong);
      resolve(failed('ends, or waits for ever, before it has exported anything. Let it export plain data.'));
    });
  });
}

function readingOf(said: Said): LoadedCode {
  switch (said.kind) {
    case 'config':
      return said;
    case 'threw':
      return failed(`fails when it is loaded: ${head(said.message, SHOWN_CHARS)}`);
    case 'no_data':
      return failed(`exports what is no plain data: ${head(said.message, SHOWN_CHARS)}`);
    case 'no_default':
      return failed(`exports ${said.exports.join(', ') || 'nothing'}, but no default. Write: export default { … }`);
  }
}

const failed = (why: string): LoadedCode => ({ kind: 'failed', why });

const noTypeScript = () =>
  `is TypeScript, which Node ${process.versions.node} does not read. ` +
  'Use Node 22.18 or newer, or write it as .mjs or .json.';

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
