import type { McpServer } from '@modelcontextprotocol/server';
import { VERSION } from '../../log/program-version.ts';
import type { DoorRuns } from '../doors/door-runs.ts';
import type { Mcp } from './load-server.ts';
import { addPersonTools } from './person-tools.ts';
import { addReadingTools } from './reading-tools.ts';
import { addRunTools } from './run-tools.ts';

const INSTRUCTIONS =
  'loopfold runs coding loops whose success is proven by checks. start_run returns at once; ask run_status with ' +
  'waitSeconds until the state is ended, or waiting. A waiting run asks: questions of kind question you may answer, ' +
  'a ruling belongs to a person (ask_person). verdict says what the checks prove: pass it on as it is.';

/** Makes a server with all tools: one for each connection of a client, over the same runs. */
export function mcpServer(mcp: Mcp, door: DoorRuns): McpServer {
  const server = new mcp.McpServer({ name: 'loopfold', version: VERSION }, { instructions: INSTRUCTIONS });
  addRunTools(server, door);
  addReadingTools(server, door);
  addPersonTools(server, door, mcp);
  return server;
}
