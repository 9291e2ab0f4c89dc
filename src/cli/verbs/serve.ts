import { CODER } from '../../config/agents/coder.ts';
import { DEFAULTS, runValues } from '../../config/config.ts';
import type { ApiHost } from '../../http/api-host.ts';
import { isLoopback, serveApi, type Served } from '../../http/serve-api.ts';
import { ServedRuns } from '../../http/run-service.ts';
import { studioFiles } from '../../http/studio-files.ts';
import { plain } from '../../text/one-line.ts';
import { toldLoops } from '../args/loops-to-serve.ts';
import { portOf, tokensIn } from '../args/service-flags.ts';
import { notePage } from '../live/open-page.ts';
import { Complaint, usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { EXIT, SIGNAL_EXIT } from '../terminal/exit-status.ts';
import { personAt } from '../terminal/person-at-page.ts';
import { untilStopped } from '../terminal/until-stopped.ts';

export interface ServeFlags {
  readonly port: string;
  readonly host: string;
  readonly name: readonly string[];
  readonly tokens?: string;
  readonly readOnly?: boolean;
  readonly triggers?: string;
}

/** Lets people and programs reach a log over HTTP, with the page or without, until a signal stops it. */
export async function serve(session: Session, flags: ServeFlags, page: boolean): Promise<number> {
  const port = portOf(flags.port);
  const tokens = flags.tokens === undefined ? [] : await tokensIn(flags.tokens);
  if (!isLoopback(flags.host) && tokens.length === 0)
    throw usage('--host', '127.0.0.1, or --tokens beside it: others could reach it', `'${flags.host}'`);
  const isReadOnly = flags.readOnly === true;
  const { values } = await session.config();
  const given = runValues(values);
  const loop = given.loop === undefined ? {} : { loop: await session.loopName(given.loop) };
  const { loops, telemetry } = await toldLoops(session, isReadOnly);
  const files = page ? await studioFiles() : null;
  if (page && !files) throw new Complaint(EXIT.environment, 'the page was not built: npm run build makes it', null);
  const { err } = session.streams;
  const warn = (message: string) => err.line(`warning: ${plain(message)}`);
  const kept = isReadOnly ? null : new ServedRuns(loops, warn);
  const { protect = [], unprotect = [], deps = DEFAULTS.deps ?? [] } = values;
  const host: ApiHost = {
    loops,
    // As for `run`.
    defaults: { agent: CODER, ...given, ...loop, directory: session.directory },
    proof: { protect, unprotect, deps },
    kept,
    isReadOnly,
    warn,
  };
  const { triggers } = flags;
  // Loaded late: few servers have some.
  const door = triggers === undefined ? null : await (await import('../args/trigger-file.ts')).openDoor(triggers, host);
  const person = await personAt(session);
  const options = { host: flags.host, port, names: flags.name, tokens, person, page: files, hooks: door?.fetch };
  const served = await serveApi(host, options).catch((error: NodeJS.ErrnoException) => {
    throw new Complaint(EXIT.environment, `${flags.host}:${port} cannot be used: ${error.message}`, null);
  });
  announce(session, served, port);
  // Runs that start meanwhile say where the page is. Without a folder of the user they do not.
  if (page && isLoopback(flags.host)) await notePage(loops.log.store, served.port).catch(() => {});
  const signal = await untilStopped({ input: process.stdin, onLine: () => err.line(served.address()) });
  err.line(`${signal}: stopping; runs that work here are paused`);
  await door?.stop();
  await served.close();
  await kept?.stop();
  await telemetry?.end();
  await loops.log.close();
  return SIGNAL_EXIT[signal];
}

function announce({ streams: { out, err } }: Session, served: Served, asked: number): void {
  if (asked !== 0 && served.port !== asked) err.line(`port ${asked} is in use: this is ${served.port}`);
  out.line(served.address());
  err.line('open it in a browser; it lets one in, once. Enter prints another, Ctrl-C stops');
}
