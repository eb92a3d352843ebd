/** Runs the work for each item, so many at a time, and gives the answers in order. After the first error it begins nothing more. */
export const eachOf = async <A, B>(
  items: readonly A[],
  atOnce: number,
  work: (item: A, index: number) => Promise<B>,
): Promise<readonly B[]> => {
  const answers: B[] = []
  answers.length = items.length // filled in any order
  let next = 0
  let hasFailed = false
  const runner = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const index = next++
      try {
        answers[index] = await work(items[index] as A, index) // within the list
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, runner))
  return answers
}
