/** The environment of programs that make a sandbox: nothing of the runner's, and nothing of the build's. */
export const SYSTEM_ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
};

/** `PATH` of commands that bring none. */
export const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin';
