import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Model } from './model.ts';
import { ScriptError, type AnyScript, scriptedModel } from './model-script.ts';

/** Begins the name of a model whose answers are in a file. */
export const SCRIPT = 'script:';

export const isScriptName = (name: string): boolean => name.startsWith(SCRIPT);

/**
 * The model behind `script:FILE`: a JSON file, or a module (.mjs, .js, .ts) whose default export is a script or a
 * function from request to answer. Throws a `ScriptError` that says what to change.
 *
 * @example
 * const model = await loadScript('demo/answers.json');
 */
export async function loadScript(file: string): Promise<Model> {
  const name = `script:${file}`;
  const path = resolve(file);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = path === file ? cause.code : `${cause.code}, looked for as ${path}`;
    throw new ScriptError('not_found', name, `cannot be read (${why}). Name a script that is there.`, { cause });
  });
  return scriptedModel(await scriptIn(name, path, text), name);
}

async function scriptIn(name: string, path: string, text: string): Promise<AnyScript> {
  switch (extname(path)) {
    case '.json':
      return fromJson(name, text);
    case '.mjs':
    case '.js':
    case '.ts':
      return fromModule(name, path);
    default:
      throw new ScriptError('unknown_kind', name, 'is neither a .json file nor a .mjs, .js or .ts module.');
  }
}

function fromJson(name: string, text: string): AnyScript {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ScriptError('not_json', name, `is not JSON: ${messageOf(cause)}`, { cause });
  }
}

async function fromModule(name: string, path: string): Promise<AnyScript> {
  const module = await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw new ScriptError('not_loaded', name, `fails when it is loaded: ${messageOf(cause)}`, { cause });
  });
  if (module.default !== undefined) return module.default;
  const found = Object.keys(module).join(', ') || 'nothing';
  const expected = '`export default { answers: […] }`';
  throw new ScriptError('no_default', name, `exports ${found}, but no default. Expected ${expected}.`);
}

const messageOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause));
