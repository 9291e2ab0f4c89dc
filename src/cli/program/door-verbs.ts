import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withSettings } from '../args/run-flags.ts';
import type { CommonFlags } from '../session.ts';
import type { McpFlags } from '../verbs/mcp.ts';
import { type VerbParts, later } from './verb-parts.ts';

const acp = later(async () => (await import('../verbs/acp.ts')).acp);
const mcp = later(async () => (await import('../verbs/mcp.ts')).mcp);

/** Doors through which other programs drive runs. */
export function addDoorVerbs({ session, ends, verb }: VerbParts): void {
  // The folder is named in every command that a person is shown: they type it elsewhere.
  const here = (command: Command) =>
    session(command, { directory: resolve(command.optsWithGlobals<CommonFlags>().directory ?? '.') });

  withSettings(
    verb('mcp', 'serve runs to other agents as tools, over MCP on stdin and stdout')
      .option('--port <n>', 'over HTTP in place of these, on this machine: the first port to try; 0 is any')
      .option('--tokens <file>', 'with --port: tokens for programs, a line for each, the token and a name'),
  ).action((flags: McpFlags, command: Command) => ends(mcp(here(command), flags)));

  withSettings(verb('acp', 'be the agent of an editor, over the Agent Client Protocol on stdin and stdout')).action(
    (_flags: object, command: Command) => ends(acp(here(command))),
  );
}
