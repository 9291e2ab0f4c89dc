import { readdir } from 'node:fs/promises';
import { ignoredFiles } from '../git/worktree/give-dependencies.ts';
import { nameText } from '../git/process/git-names.ts';
import { untrackedFiles } from '../git/capture/secret-paths.ts';
import { OWN_FOLDER } from '../log/own-folder.ts';
import { isFree } from './dependencies-of-proof.ts';
import type { Openings } from './openings.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { homeOfPerson } from './proof-places.ts';

/** All that a checkout does not have. */
export const everythingOpen = async (subject: LegsSubject, legs: PreparedLegs): Promise<Openings> => ({
  ignored: await ignoredIn(subject, legs),
  homePaths: await homeEntries(),
  network: true,
});

/** What git ignores in the workspace, or looks secret, but for what the checkouts have, and what is ours. */
async function ignoredIn({ provided }: LegsSubject, { plan, dependencies }: PreparedLegs): Promise<readonly string[]> {
  const known = new Set([...dependencies, ...provided.files.map(({ path }) => path)]);
  const call = { directory: provided.root };
  const { secret } = await untrackedFiles(call);
  const found = [...(await ignoredFiles(call)), ...secret.map(nameText)];
  return found.filter((path) => !path.split('/').includes(OWN_FOLDER) && !known.has(path) && isFree(path, plan.trees));
}

const homeEntries = (): Promise<readonly string[]> => readdir(homeOfPerson()).catch(() => []);
