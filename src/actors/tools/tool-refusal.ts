import { errorCode } from '../../text/error-code.ts';

/** A tool that knows it has done nothing, and why: a failed call whose message tells the model what to do instead. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const SAID: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or directory',
  ENOTDIR: 'part of the path is a file, not a directory',
  EEXIST: 'part of the path is a file, not a directory',
  EISDIR: 'it is a directory, not a file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENXIO: 'it is not a regular file',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full, the file is as it was',
  EDQUOT: 'the disk quota is used up, the file is as it was',
  EFBIG: 'the file would be larger than this process may write, it is as it was',
  EMFILE: 'too many files are open, try again with fewer calls at a time',
  ENFILE: 'too many files are open, try again with fewer calls at a time',
};

/** What the file system said, in words, or the error itself where it said nothing we know. */
export function fileRefusal(path: string, error: unknown): unknown {
  const said = SAID[errorCode(error) ?? ''];
  return said === undefined ? error : new ToolRefusal('file_refused', `${path}: ${said}`, error);
}
