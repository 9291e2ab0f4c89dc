import type { McpServers } from '../../agents/mcp/mcp-servers.ts';
import type { Effective } from '../../config/load-config.ts';
import { PermissionLedger } from '../../config/permission-ledger.ts';
import { userFolder } from '../../config/places.ts';
import { agentFiles } from '../../app/start/agent-files.ts';
import type { App } from '../../app/app.ts';
import { localLoops } from '../hosts.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Log } from '../../log/log.ts';
import type { Called } from './session-config.ts';
import { type MoreLoopsOptions, warnIn } from './session-loops.ts';

/** `Loops` over a log, with warnings on stderr. */
export const loopsOver = (
  log: Log,
  loops: readonly LoopDefinition[],
  called: Pick<Called, 'streams' | 'attending'>,
  config: Effective | null,
  { tools, handed, captures, watch }: Pick<McpServers, 'tools' | 'handed'> & MoreLoopsOptions,
): App =>
  localLoops({
    log,
    loops,
    warn: warnIn(called),
    agents: agentFiles(),
    tools,
    permitted: (directory) => new PermissionLedger(userFolder(process.env)).of(directory),
    handedServers: handed,
    // Without a terminal there is no question, and nothing waits.
    ...(called.streams.err.isTerminal && process.stdin.isTTY ? { attendant: called.attending.attendant } : {}),
    ...(captures === undefined ? {} : { captures }),
    ...(watch === undefined ? {} : { watch }),
    providers: config?.values.providers ?? {},
  });
