import { enableCompileCache } from 'node:module';
import { onStopSignals } from './signals.ts';
import { stoppedEarly } from './stopped-early.ts';

// Half of a short command's time would go into compiling.
enableCompileCache();

const warn = process.emitWarning;
// What Node thinks of its own SQLite is not about the work.
process.emitWarning = (warning: string | Error, ...details: never[]) => {
  if (!String(warning).includes('SQLite is an experimental')) warn.call(process, warning, ...details);
};

const words = process.argv.slice(2);
// Before the rest is loaded, which takes long enough for a signal to come between.
onStopSignals(stoppedEarly(words));

const { call } = await import('./call.ts');
process.exitCode = await call(words);
