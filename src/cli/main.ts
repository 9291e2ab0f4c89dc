import { enableCompileCache } from 'node:module';

// Half of a short command's time would go into compiling.
enableCompileCache();

const warn = process.emitWarning;
// What Node thinks of its own SQLite is not about the work.
process.emitWarning = (warning: string | Error, ...details: never[]) => {
  if (!String(warning).includes('SQLite is an experimental')) warn.call(process, warning, ...details);
};

const { call } = await import('./call.ts');
process.exitCode = await call(process.argv.slice(2));
