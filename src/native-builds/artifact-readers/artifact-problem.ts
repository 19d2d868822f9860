/**
 * Why a file is not the artifact that it is said to be. The message follows “The file is not a valid apk:”, without a full
 * stop, and repeats nothing of the file but what is harmless.
 */
export class ArtifactProblem extends Error {}
