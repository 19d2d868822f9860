/** The last bytes of a PKCS #12 file are about a digest. Its parameters are of type NULL (05 00): what their type says has no effect. */
const NULL_PARAMETERS = Buffer.from('050004', 'hex');

/** Copies of a keystore, each with one byte that is wrong and has an effect. @param step bytes from one to the next */
export function* damagedCopies(file: Buffer, step: number): Generator<Buffer> {
  const withoutEffect = file.lastIndexOf(NULL_PARAMETERS);
  for (let position = 4; position < file.length; position += step) {
    if (position === withoutEffect) continue;
    const damaged = Buffer.from(file);
    damaged[position]! ^= 0xff;
    yield damaged;
  }
}
