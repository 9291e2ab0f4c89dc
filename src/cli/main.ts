import { shelterKeys } from './key-shelter.ts';
import { endProcess } from './terminal/end-process.ts';
import { onStopSignals } from './terminal/stop-signals.ts';
import { stoppedEarly } from './terminal/early-stop.ts';

const warn = process.emitWarning;
// Node's warnings about what is experimental in it say nothing about the run.
process.emitWarning = (warning: string | Error, ...details: never[]) => {
  if (!/SQLite is an experimental|process\.execve is an experimental/.test(String(warning)))
    warn.call(process, warning, ...details);
};

const words = process.argv.slice(2);
shelterKeys(words);
// Before the rest is loaded: that takes long enough for a signal to arrive.
onStopSignals(stoppedEarly(words));

const { call } = await import('./call.ts');
await endProcess(await call(words));
