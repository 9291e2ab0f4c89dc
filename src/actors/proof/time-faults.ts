import { statfs } from 'node:fs/promises';

// What is written through a mapping into memory is dated when the first write to a page is noticed. File systems in
// memory notice none where the page was read before: such a file changes, and no time of it does.

const TMPFS = 0x0102_1994;
const RAMFS = 0x8584_58f6;

/** Whether files of a folder can change and no time says so. False where that is not known. */
export const isUntimed = (folder: string): Promise<boolean> =>
  statfs(folder).then(
    ({ type }) => type === TMPFS || type === RAMFS,
    () => false,
  );
