import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';

/** How groups are read and changed. */
export interface GroupFiles {
  /** @throws Error if there is no such file */
  read(path: string): Promise<string>;
  /** @throws Error if the kernel refuses it */
  write(path: string, text: string): Promise<void>;
  isWritable(path: string): Promise<boolean>;
  /** The names of the groups in a group, and of its files. */
  list(group: string): Promise<string[]>;
  /** @throws Error with the code `EEXIST` if it exists */
  make(group: string): Promise<void>;
  /** @throws Error if a process is in it */
  remove(group: string): Promise<void>;
}

/** Those of the kernel. */
export const kernelGroupFiles: GroupFiles = {
  read: (path) => readFile(path, 'latin1'),
  // Not one that does not exist, and without reading: no one may read `cgroup.kill`.
  write: (path, text) => writeFile(path, text, { flag: constants.O_WRONLY }),
  isWritable: (path) =>
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    ),
  list: (group) => readdir(group),
  make: (group) => mkdir(group),
  // The files of a group go with it.
  remove: (group) => rmdir(group),
};
