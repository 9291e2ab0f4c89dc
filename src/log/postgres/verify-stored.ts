import type { StoredEvent } from '../chain.ts';
import { runOfEffect } from '../effect-names.ts';
import type { BareEnvelope, RunRecord, TreeVerified, VerifyResult } from '../event-store.ts';
import { type Listed, runsBelow, wrongTree } from '../tree-listing.ts';
import { bareEnvelopeOf } from '../event-envelope.ts';
import { NO_EVENTS, payloadOf, settledFault, STRAY, Verification, type Vouching } from '../verify-tree.ts';
import { records } from './run-records.ts';
import type { Server } from './server.ts';
import { damaged } from './server-failure.ts';
import { shelfOf, storedPages } from './event-stretches.ts';

const SETTLED = 'child.settled';

/** The runs that verifying asks about: they are looked up before, as verifying itself does not wait. */
class Consulted implements Vouching {
  readonly #server: Server;
  readonly #found = new Map<string, RunRecord | null>();
  #contents: Vouching['blobText'] = () => null;
  readonly blobText: Vouching['blobText'] = (sha) => this.#contents(sha);

  constructor(server: Server) {
    this.#server = server;
  }

  async lookUp(runs: readonly string[]): Promise<void> {
    const asked = [...new Set(runs)].filter((run) => !this.#found.has(run));
    if (asked.length === 0) return;
    for (const run of asked) this.#found.set(run, null);
    this.keep(await records(this.#server, 'WHERE r.run = ANY($1)', [asked]));
  }

  keep(found: readonly RunRecord[]): void {
    for (const one of found) this.#found.set(one.run, one);
  }

  /** Loads what verifying these events will ask about. */
  async prepare(events: readonly StoredEvent[]): Promise<void> {
    this.#contents = (await shelfOf(this.#server, events)).blobText;
    const children = events.flatMap(({ type, text }) => {
      const child = type === SETTLED && text !== null ? payloadOf(this, text)['child'] : null;
      return typeof child === 'string' ? [child] : [];
    });
    await this.lookUp(children);
  }

  async lookUpWithParent(run: string): Promise<RunRecord | null> {
    await this.lookUp([run]);
    const found = this.find(run);
    if (found?.parentEffect) await this.lookUp([runOfEffect(found.parentEffect)]);
    return found;
  }

  find(run: string): RunRecord | null {
    return this.#found.get(run) ?? null;
  }

  ending(run: string): string | null {
    return this.find(run)?.closed ?? null;
  }
}

export async function verifyStored(server: Server, run: string): Promise<VerifyResult> {
  const reading = readVerified(server, run);
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value;
  }
}

export async function* readVerified(
  server: Server,
  run: string,
): AsyncGenerator<readonly BareEnvelope[], VerifyResult> {
  const consulted = new Consulted(server);
  const listed = await consulted.lookUpWithParent(run);
  const verification = new Verification(consulted, run);
  for await (const page of storedPages(server, run)) {
    await consulted.prepare(page);
    const broken = page.findIndex((event) => !verification.take(event));
    const sound = broken === -1 ? page : page.slice(0, broken);
    yield sound.map((event) => bareEnvelopeOf(event, { store: server.store, blobText: consulted.blobText }));
    if (broken !== -1) break;
  }
  const { result } = verification;
  return result.kind === 'intact' && listed ? againstRow(result, listed) : result;
}

/** A row says where its run stands: events that are gone from the end are missed by it. */
function againstRow(result: Extract<VerifyResult, { readonly kind: 'intact' }>, listed: RunRecord): VerifyResult {
  // Events that came while it was read are no fault.
  if (result.version >= listed.version) return result;
  const reason = `its last events are gone: its row says that it has ${listed.version}`;
  return { kind: 'broken', version: result.version + 1, reason };
}

/** Verifies a run and every run below it, as `verifyTree` does for engines that answer at once. */
export async function verifiedTree(server: Server, run: string): Promise<TreeVerified> {
  const verified = await verifyStored(server, run);
  if (verified.kind === 'broken') return { ...verified, run };
  if (verified.kind === 'unknown_run') return verified;
  const reason = await toldAbove(server, run);
  if (reason !== null) return { kind: 'broken', run, version: verified.version, reason };
  const { below, strays } = await belowStored(server, run);
  for (const one of [...below, ...strays]) {
    const child = await verifyStored(server, one);
    if (child.kind === 'broken') return { ...child, run: one };
  }
  const [stray] = strays;
  return stray === undefined ? verified : { kind: 'broken', run: stray, version: 1, reason: STRAY };
}

async function belowStored(server: Server, run: string) {
  const [top] = await records(server, 'WHERE r.run = $1', [run]);
  const tree = top ? await records(server, 'WHERE r.root = $1 ORDER BY r.key', [top.root]) : [];
  const opened = await records(server, `WHERE split_part(r.parent_effect, '/', 1) = ANY($1) ORDER BY r.key`, [
    tree.map((one) => one.run),
  ]);
  return runsBelow(
    {
      find: (one) => tree.find((listed) => listed.run === one) ?? null,
      tree: () => tree,
      openedFrom: (one) => opened.filter(({ parentEffect }) => parentEffect?.startsWith(`${one}/`)),
    },
    run,
  );
}

/** Says why a run is not as its parent has recorded the end of it, or returns null. The parent is not verified. */
async function toldAbove(server: Server, run: string): Promise<string | null> {
  const consulted = new Consulted(server);
  const effect = (await consulted.lookUpWithParent(run))?.parentEffect ?? null;
  const above = effect === null ? null : consulted.find(runOfEffect(effect));
  if (above === null) return null;
  for await (const page of storedPages(server, above.run)) {
    await consulted.prepare(page.filter(({ type }) => type === SETTLED));
    for (const { type, run: writer, text } of page) {
      if (type !== SETTLED || writer !== above.run || text === null) continue;
      const payload = payloadOf(consulted, text);
      if (payload['child'] === run) return settledFault(consulted, above, payload);
    }
  }
  return null;
}

const PARENTS = `
  WITH RECURSIVE line AS (
    SELECT run, root, parent_effect, 1 AS depth FROM runs WHERE run = $1
    UNION
    SELECT r.run, r.root, r.parent_effect, depth + 1 FROM runs r
    JOIN line l ON r.run = split_part(l.parent_effect, '/', 1) WHERE depth < 1000
  ) SELECT run, root, parent_effect AS "parentEffect" FROM line`;

/** Throws a `LogError` `damaged` where a run has no events, or is listed in another tree than its parents are. */
export async function assertInTree(server: Server, found: RunRecord): Promise<void> {
  const line = found.parentEffect === null ? [] : await server.reading<Listed>(PARENTS, [found.run]);
  const parents = new Map(line.map((one) => [one.run, one]));
  const { run } = found;
  const fault = found.version === 0 ? `run ${run}: ${NO_EVENTS}` : wrongTree((one) => parents.get(one) ?? null, found);
  if (fault !== null) throw damaged(server.store, fault);
}
