import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '../repository/tool.ts';
import { userEnvironment } from './installed.ts';

const HOOK = `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
registerHooks({ load: (url, context, next) => (appendFileSync(process.env.LOADED_MODULES, url + '\\n'), next(url, context)) });
`;

/** The URLs of all modules that a Node with these arguments loads, those of its threads and of Nodes it starts included. */
export function loadedBy(words: readonly string[], folder: string): readonly string[] {
  const shelf = mkdtempSync(join(tmpdir(), 'loopfold-loaded-'));
  try {
    const [hook, list] = [join(shelf, 'hook.mjs'), join(shelf, 'list')];
    writeFileSync(hook, HOOK);
    writeFileSync(list, '');
    run(process.execPath, ['--import', pathToFileURL(hook).href, ...words], folder, { ...userEnvironment(), LOADED_MODULES: list });
    return readFileSync(list, 'utf8').split('\n').filter((url) => url !== '');
  } finally {
    rmSync(shelf, { recursive: true, force: true });
  }
}
