import { join } from 'node:path';
import { build } from 'vite';

/**
 * Bundles the page into a folder: one file each of HTML, script and styles, which load nothing from elsewhere. Returns
 * the modules that it consists of.
 */
export async function buildStudio(root: string, folder: string): Promise<readonly string[]> {
  const built = await build({
    root: join(root, 'src/studio'),
    configFile: false,
    logLevel: 'warn',
    base: './',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: false,
      // Nothing becomes part of an address: `data:` is not among what the page may load.
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: { entryFileNames: 'studio.js', assetFileNames: 'studio[extname]', codeSplitting: false },
      },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  return outputs.flatMap((one) => ('output' in one ? one.output : [])).flatMap(modulesOf);
}

const modulesOf = (file: { readonly type: string; readonly moduleIds?: readonly string[] }): readonly string[] =>
  file.moduleIds ?? [];
