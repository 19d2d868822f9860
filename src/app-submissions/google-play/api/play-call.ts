/** Which call of the Publisher API was refused. */
export type PlayCall =
  | 'token'
  | 'insert'
  | 'read'
  | 'delete'
  | 'upload'
  | 'symbols'
  | 'track'
  | 'validate'
  | 'commit'
  | 'releases';
