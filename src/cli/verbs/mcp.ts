import { DoorRuns } from '../doors/door-runs.ts';
import { untilClosed } from '../doors/until-closed.ts';
import { loadServer } from '../mcp/load-server.ts';
import { mcpServer } from '../mcp/mcp-server.ts';
import type { Session } from '../session.ts';

/** Lets an MCP client drive runs in a folder, over standard input and output, until the client closes it. */
export async function mcp(session: Session): Promise<number> {
  const { mcp: sdk, serveStdio } = await loadServer();
  const door = new DoorRuns(session);
  // A run that calls this is refused before anything is served.
  await door.assertNoRun();
  const { err } = session.streams;
  const serving = serveStdio(() => mcpServer(sdk, door), {
    onerror: ({ message }) => err.line(err.colours.dim(`mcp: ${message}`)),
  });
  const status = await untilClosed(process.stdin);
  await serving.close();
  await door.close();
  return status;
}
