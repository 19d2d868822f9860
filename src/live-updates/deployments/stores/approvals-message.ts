/**
 * Says for whom a deployment waits: the first line of the log of its job.
 *
 * @param people that must approve it, at least 1
 * @param author who has created it, by name; `null`: the user was deleted
 */
export function waitsForApprovals(people: number, author: string | null): string {
  const count = people === 1 ? '1 person' : `${people} people`;
  const others = author === null ? '' : ` other than ${author}, who has created the deployment`;
  return `Waits for the approval of ${count}${others}.`;
}
