import type * as sdk from '@modelcontextprotocol/server';
import { Complaint } from '../pages/complaint.ts';
import { EXIT } from '../terminal/exit-status.ts';

const PACKAGE = '@modelcontextprotocol/server';

/** The SDK, which is loaded only for this door. */
export type Mcp = typeof sdk;

/** Loads the SDK of MCP servers, which only this door needs. Throws a `Complaint` where it is not installed. */
export async function loadServer() {
  try {
    const [mcp, stdio] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('@modelcontextprotocol/server/stdio'),
    ]);
    return { mcp, serveStdio: stdio.serveStdio };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    const message = `the package ${PACKAGE} is not installed. Install it beside loopfold: npm install ${PACKAGE}`;
    throw new Complaint(EXIT.environment, message, null, { cause });
  }
}
