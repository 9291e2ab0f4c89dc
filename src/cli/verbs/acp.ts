import { serveEditor } from '../acp/serve-editor.ts';
import { DoorRuns } from '../doors/door-runs.ts';
import { untilClosed } from '../doors/until-closed.ts';
import type { Session } from '../session.ts';

/** Lets an editor drive this program as its agent, over standard input and output, until it closes them. */
export async function acp(session: Session): Promise<number> {
  // A run that calls this is refused before anything is served.
  await new DoorRuns(session).assertNoRun();
  const close = serveEditor(session, { input: process.stdin, output: process.stdout });
  const status = await untilClosed(process.stdin);
  await close();
  return status;
}
