/** What a refusal of a store says to people whose build it concerns: they submit nothing. */
export function toBuildSentence(sentence: string): string {
  return sentence
    .replace(/\b(s)ubmit (?:this build )?again\b/gi, (_, letter: string) =>
      letter === 'S' ? 'Start the build again' : 'start the build again',
    )
    .replace(/: nothing is uploaded twice/g, '');
}
