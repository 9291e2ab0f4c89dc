import { serveFetch } from '../../http/serve-fetch.ts';
import { plain } from '../../projections/phrases.ts';
import { portOf, tokensIn } from '../args/service-flags.ts';
import { DoorRuns } from '../doors/door-runs.ts';
import { untilClosed } from '../doors/until-closed.ts';
import { loadServer } from '../mcp/load-server.ts';
import { mcpServer } from '../mcp/mcp-server.ts';
import { usage } from '../pages/complaint.ts';
import type { Session } from '../session.ts';
import { SIGNAL_EXIT } from '../terminal/exit-status.ts';
import { untilStopped } from '../terminal/until-stopped.ts';

export interface McpFlags {
  /** Over HTTP in place of standard input and output. */
  readonly port?: string;
  readonly tokens?: string;
}

const PATH = '/mcp';

/** Lets MCP clients drive runs in a folder: one over standard input and output, or any number over HTTP. */
export async function mcp(session: Session, { port, tokens }: McpFlags): Promise<number> {
  if (tokens !== undefined && port === undefined)
    throw usage('--tokens', '--port beside it', "'stdin'", ['mcp', '--help']);
  const door = new DoorRuns(session);
  // A run that calls this is refused before anything is served.
  await door.assertNoRun();
  const status = await (port === undefined ? overStreams(session, door) : overHttp(session, door, { port, tokens }));
  await door.close();
  return status;
}

async function overStreams({ streams: { err } }: Session, door: DoorRuns): Promise<number> {
  const { mcp: sdk, serveStdio } = await loadServer();
  const serving = serveStdio(() => mcpServer(sdk, door), {
    onerror: ({ message }) => err.line(err.colours.dim(`mcp: ${plain(message)}`)),
  });
  const status = await untilClosed(process.stdin);
  await serving.close();
  return status;
}

async function overHttp(
  { streams: { out, err } }: Session,
  door: DoorRuns,
  { port, tokens }: { readonly port: string; readonly tokens: string | undefined },
): Promise<number> {
  const asked = portOf(port);
  const { mcp: sdk } = await loadServer();
  const handler = sdk.createMcpHandler(() => mcpServer(sdk, door));
  const served = await serveFetch({
    path: PATH,
    fetch: (request) => handler.fetch(request),
    port: asked,
    tokens: tokens === undefined ? [] : await tokensIn(tokens),
    warn: (message) => err.line(`warning: ${plain(message)}`),
  });
  out.line(served.address);
  if (served.token !== null) err.line(`Authorization: Bearer ${served.token}`);
  const signal = await untilStopped({ input: process.stdin, onLine: () => {} });
  await served.close();
  return SIGNAL_EXIT[signal];
}
