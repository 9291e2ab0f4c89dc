import { askUser } from './ask-user.ts';
import { delegate } from './delegate.ts';
import { edit } from './edit.ts';
import { finish } from './finish.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';
import { list } from './list.ts';
import { multiEdit } from './multi-edit.ts';
import { read } from './read.ts';
import { requestCommandAccess } from './request-command-access.ts';
import { requestReadAccess } from './request-read-access.ts';
import { shell } from './shell.ts';
import type { Tool } from './tool.ts';
import { write } from './write.ts';

/**
 * The built-in tools, in the order in which a model is told of them. A new tool is a file of its own, which says its
 * name, its description and whether a run must name it, and a line at the end here.
 */
export const builtinTools = (): readonly Tool[] => [
  read,
  list,
  glob,
  grep,
  edit,
  multiEdit,
  write,
  shell,
  finish,
  askUser,
  requestReadAccess,
  delegate,
  requestCommandAccess,
];
