/** Whether a `pipeline` has failed because the client went away in the middle, which is no failure of ours. */
export function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
