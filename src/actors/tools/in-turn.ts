const tails = new Map<string, Promise<unknown>>();

/** Runs pieces of work on the same thing one after the other: parallel calls must not undo each other's changes. */
export async function inTurn<Result>(thing: string, work: () => Promise<Result>): Promise<Result> {
  const before = tails.get(thing) ?? Promise.resolve();
  const mine = before.then(work, work);
  tails.set(thing, mine);
  try {
    return await mine;
  } finally {
    if (tails.get(thing) === mine) tails.delete(thing);
  }
}
