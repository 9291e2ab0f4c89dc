import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../repository/tool.ts';

/** Files of this repository are read once, however many programs they are part of. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * The compiler's errors in sources that exist only in memory, each at a path of this repository, as `path:line:
 * message`.
 */
export function compile(sources: ReadonlyMap<string, string>): string[] {
  const texts = new Map([...sources].map(([path, text]) => [join(root, path), text]));
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const host = ts.createCompilerHost(options);
  const onDisk = { fileExists: host.fileExists, readFile: host.readFile, getSourceFile: host.getSourceFile };
  const folders = new Set([...texts.keys()].map((path) => dirname(path)));
  host.fileExists = (path) => texts.has(path) || onDisk.fileExists(path);
  host.readFile = (path) => texts.get(path) ?? onDisk.readFile(path);
  host.directoryExists = (path) => folders.has(path) || ts.sys.directoryExists(path);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = texts.get(path);
    if (text === undefined) {
      if (!parsed.has(path)) parsed.set(path, onDisk.getSourceFile(path, languageVersion, ...rest));
      return parsed.get(path);
    }
    return ts.createSourceFile(path, text, languageVersion);
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  const own = [...texts.keys()].flatMap((path) => program.getSourceFile(path) ?? []);
  return own.flatMap((file) => {
    const faults = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return faults.map(({ messageText, start = 0 }) => {
      const line = file.getLineAndCharacterOfPosition(start).line + 1;
      return `${file.fileName.slice(root.length + 1)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}
