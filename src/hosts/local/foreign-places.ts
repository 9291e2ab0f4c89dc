import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { programOnPath } from '../../actors/proof/program-on-path.ts';
import { COVERED } from '../../actors/proof/root-script.ts';
import { isWithin } from '../../actors/tools/confine.ts';
import { needsOf } from '../../agents/agent-needs.ts';
import { shownOfHome } from '../../evidence/tool-homes.ts';
import { exists } from '../../config/places.ts';
import { homeOfPerson } from '../../verification/proof-places.ts';

/** The places in a home that an agent of others needs behind walls. */
interface AgentPlaces {
  /** Files of its login, which it renews. */
  readonly logins: readonly string[];
  /** The folders of its program, which it only reads. */
  readonly programs: readonly string[];
}

/** The places of the agent that takes the place of a model; none where it is a model. */
export async function placesOfAgent(model: string): Promise<AgentPlaces> {
  const needs = needsOf(model, process.env);
  if (needs === null) return { logins: [], programs: [] };
  const home = homeOfPerson();
  const logins = needs.logins.map((path) => join(home, path));
  const there = await Promise.all(logins.map(exists));
  const programs = [...(await programFolders(needs.program, home)), ...(await namedPaths(needs.named, home))];
  return { logins: logins.filter((_, index) => there[index]), programs: [...new Set(programs)] };
}

/** Paths that a command names, where walls would hide them. */
async function namedPaths(named: readonly string[], home: string): Promise<readonly string[]> {
  const paths = named.map((path) => path.replace(/^~(?=\/)/, home));
  const hidden = paths.filter((path) => [home, ...COVERED].some((place) => path !== place && isWithin(place, path)));
  const there = await Promise.all(hidden.map(exists));
  return hidden.filter((_, index) => there[index]);
}

/** A package lies in a folder of this name: its program needs all that is beside it there. */
const PACKAGES = '/node_modules/';

/** The folders of a program in a home that are not shown anyway: the one on the path, and the one that it leads to. */
async function programFolders(name: string, home: string): Promise<readonly string[]> {
  const link = name.startsWith('/') ? name : await programOnPath(name, process.env['PATH'] ?? '');
  const file = link === null ? null : await realpath(link).catch(() => null);
  if (link === null || file === null) return [];
  const packages = file.indexOf(PACKAGES);
  const folders = [dirname(link), packages < 0 ? dirname(file) : file.slice(0, packages + PACKAGES.length - 1)];
  const shown = shownOfHome([]).map((path) => join(home, path));
  return [...new Set(folders)].filter(
    (folder) => folder !== home && isWithin(home, folder) && !shown.some((one) => isWithin(one, folder)),
  );
}
