import { endProcess } from './terminal/end-process.ts';
import { onStopSignals } from './terminal/stop-signals.ts';
import { stoppedEarly } from './terminal/stopped-early.ts';

const warn = process.emitWarning;
// Node's warning about its experimental SQLite says nothing about the run.
process.emitWarning = (warning: string | Error, ...details: never[]) => {
  if (!String(warning).includes('SQLite is an experimental')) warn.call(process, warning, ...details);
};

const words = process.argv.slice(2);
// Before the rest is loaded: that takes long enough for a signal to arrive.
onStopSignals(stoppedEarly(words));

const { call } = await import('./call.ts');
await endProcess(await call(words));
