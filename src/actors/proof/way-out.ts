import { loopbackPorts, type NetworkReach, reachEntries, reachesHost } from '../../../machines/command-reach.ts';
import { listenWithin } from './listeners-within.ts';
import { openGate } from './network-gate.ts';

/** The part of a network that commands behind walls reach, and the variables by which programs find it. */
export interface WayOut {
  readonly environment: Readonly<Record<string, string>>;
  readonly refused: () => readonly string[];
  readonly close: () => void;
}

const NO_WAY: WayOut = { environment: {}, refused: () => [], close: () => {} };

/** Opens the way out of the walls that a process holds. The system says why it does not let it be opened. */
export async function wayOut(holder: number, reach: NetworkReach): Promise<WayOut | { readonly missing: string }> {
  if (reachEntries(reach).length === 0) return NO_WAY;
  try {
    const listeners = await listenWithin(holder, [0, ...loopbackPorts(reach)]);
    const proxy = listeners.find(({ asked }) => asked === 0)?.port ?? 0;
    return { environment: proxyVariables(proxy), ...openGate(listeners, (place) => reachesHost(reach, place)) };
  } catch (error) {
    return { missing: `its network does not stand: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Addresses of its own loopback are no matter of the proxy. */
const OWN = 'localhost,127.0.0.1,::1';

/** The variables by which package managers find a proxy; Java knows no variable of that kind. */
function proxyVariables(port: number): Readonly<Record<string, string>> {
  const address = `http://127.0.0.1:${port}`;
  const java = ['http', 'https'].map((name) => `-D${name}.proxyHost=127.0.0.1 -D${name}.proxyPort=${port}`).join(' ');
  return {
    HTTP_PROXY: address,
    HTTPS_PROXY: address,
    http_proxy: address,
    https_proxy: address,
    NO_PROXY: OWN,
    no_proxy: OWN,
    MAVEN_OPTS: java,
    GRADLE_OPTS: java,
  };
}
