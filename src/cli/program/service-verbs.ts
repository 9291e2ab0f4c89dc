import type { Command } from 'commander';
import type { ExportFlags } from '../verbs/export.ts';
import type { ServeFlags } from '../verbs/serve.ts';
import { aboutRun, type LastFlag, later, reference, type VerbParts, JSON_FLAG } from './verb-parts.ts';
import { resolve } from 'node:path';
import { withSettings } from '../args/run-flags.ts';
import type { CommonFlags } from '../session.ts';
import type { McpFlags } from '../verbs/mcp.ts';

const deliver = later(async () => (await import('../verbs/deliver.ts')).deliver);

/** What runs report elsewhere. */
export function addWebhookVerbs({ session, ends, verb }: VerbParts): void {
  verb('deliver', 'deliver the reports to webhooks that are still owed, also those of ended runs')
    .option(...JSON_FLAG)
    .action((flags: { json?: boolean }, command: Command) => ends(deliver(session(command), flags)));
}

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

const exportRun = later(async () => (await import('../verbs/export.ts')).exportRun);
const serve = later(async () => (await import('../verbs/serve.ts')).serve);

/** Verbs that bring runs to people and programs elsewhere. */
export function addServingVerbs({ session, ends, verb }: VerbParts): void {
  for (const [name, page, what] of [
    ['studio', true, 'open a page on all runs of the log: what they do, why they ended, and what waits for you'],
    ['serve', false, 'let programs reach the log over HTTP, with an OpenAPI description, until it is stopped'],
  ] as const) {
    verb(name, what)
      .option('--port <n>', 'the first port to try; 0 is any', '4610')
      .option('--host <address>', 'the address to listen on; another than this machine needs --tokens', '127.0.0.1')
      .option('--name <host>', 'a name that requests may use for it, as behind a proxy', collected, [])
      .option('--tokens <file>', 'tokens for programs and other people: a line for each, the token and a name')
      .option('--triggers <file>', 'rules by which labels, mentions, failed workflows and the clock start runs')
      .option('--read-only', 'start nothing, and take no decision of a person')
      .action((flags: ServeFlags, command: Command) => ends(serve(session(command), flags, page)));
  }

  aboutRun(verb('export', 'write a run as one text for people who have no log; without RUN, the newest'))
    .option('--as <form>', 'markdown, for a pull request; html, one page; otlp, spans as JSON', 'markdown')
    .option('--otlp <url>', 'send its spans to this collector of OpenTelemetry')
    .option('--to <file>', 'a new file, in place of stdout')
    .action((id: string | undefined, flags: LastFlag & ExportFlags, command: Command) =>
      ends(exportRun(session(command), reference(id, flags), flags)),
    );
}

const collected = (value: string, before: readonly string[]): readonly string[] => [...before, value];
