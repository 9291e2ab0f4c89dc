import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root, runTool } from '../repository/tool.ts';

/** As `tsc` prints a fault of a file below its folder. Further lines of a message begin with a space. */
const FAULT = /^(\S[^(\n]*)\((\d+),\d+\): error (TS\d+: .*(?:\n .*)*)$/gm;

/**
 * The compiler's errors in sources that do not lie in this repository, each at the path that it would have here, as
 * `path:line: message`. They see what is installed here, and the package by its name.
 */
export function compile(sources: ReadonlyMap<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-compile-'));
  try {
    for (const [path, text] of sources) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const options = { rootDir: '/', typeRoots: [join(root, 'node_modules', '@types')] };
    const config = { extends: join(root, 'tsconfig.json'), compilerOptions: options, files: [...sources.keys()] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include: [] }));
    // Threads of its own would take it twice the processor time.
    const { status, output } = runTool('typescript-native', ['--singleThreaded', '--pretty', 'false'], folder, 'tsc');
    const faults = [...output.matchAll(FAULT)].map(([, path, line, message]) => `${path}:${line}: ${message}`);
    if ((status === 0) !== (faults.length === 0)) throw new Error(`the compiler exited with ${status}:\n${output}`);
    return faults;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
