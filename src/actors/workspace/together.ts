/**
 * Waits for work that runs side by side. All of it has ended before the first failure is thrown: what still writes
 * could not be removed.
 */
export async function together<Work extends readonly unknown[] | []>(work: Work) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
