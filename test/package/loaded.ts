import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Ran, run } from '../repository/tool.ts';
import { userEnvironment } from './installed.ts';

const HOOK = `import { registerHooks } from 'node:module';
import { appendFileSync } from 'node:fs';
const note = (url) => appendFileSync(process.env.LOADED_MODULES, url + '\\n');
registerHooks({ load: (url, context, next) => (note(url), next(url, context)) });
`;

/** What a Node did, and the URLs of all modules it loaded, those of its threads and of Nodes it started included. */
export interface Loading extends Ran {
  readonly modules: readonly string[];
}

/** Runs a Node with these arguments in a folder. */
export function loading(words: readonly string[], folder: string): Loading {
  const shelf = mkdtempSync(join(tmpdir(), 'loopfold-loaded-'));
  try {
    const [hook, list] = [join(shelf, 'hook.mjs'), join(shelf, 'list')];
    writeFileSync(hook, HOOK);
    writeFileSync(list, '');
    const ran = run(process.execPath, ['--import', pathToFileURL(hook).href, ...words], folder, {
      ...userEnvironment(),
      LOADED_MODULES: list,
    });
    const lines = readFileSync(list, 'utf8').split('\n');
    return { ...ran, modules: lines.filter((url) => url !== '') };
  } finally {
    rmSync(shelf, { recursive: true, force: true });
  }
}
