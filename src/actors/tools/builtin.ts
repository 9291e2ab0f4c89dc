import { askUser } from './ask-user.ts';
import { edit } from './edit.ts';
import { finish } from './finish.ts';
import { list } from './list.ts';
import { read } from './read.ts';
import { requestReadAccess } from './request-read-access.ts';
import { shell } from './shell.ts';
import type { Tool } from './tool.ts';
import { write } from './write.ts';

/** The tools every run may have: files of the workspace, its shell, people, and the declaration that the work is finished. */
export const builtinTools = (): readonly Tool[] => [
  read, list, edit, write, shell, finish, askUser, requestReadAccess,
];
