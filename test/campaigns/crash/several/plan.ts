import { passOf, type Point } from '../plan.ts'
import type { Random } from '../random.ts'

/** What becomes of one of several servers. Answers are those of all servers, from when its process begins. */
export type Life =
  /** SIGKILL: with few answers while it still starts, and the others work. */
  | { readonly _tag: 'after-answers'; readonly answers: number }
  /** SIGKILL when it comes to the point for the `pass`th time. */
  | { readonly _tag: 'at-point'; readonly point: Point; readonly pass: number }
  /** SIGSTOP, SIGCONT so much later, and SIGKILL in the end. */
  | { readonly _tag: 'frozen'; readonly answers: number; readonly forMs: number }
  /** SIGSTOP at the point; somebody else lets it go on. */
  | { readonly _tag: 'frozen-at'; readonly point: Point; readonly pass: number }

/** Lives one behind the other: every other one ends at a point, and all points have their turn before one has it again. */
export const livesOf = (points: readonly Point[], random: Random): (() => Life) => {
  let left: Point[] = []
  let turn = 0
  return () => {
    turn += 1
    if (turn % 2 === 0 && points.length > 0) {
      if (left.length === 0) left = shuffled(points, random)
      const point = left.pop()
      if (point !== undefined) return { _tag: 'at-point', point, pass: Math.ceil(passOf(point, random) / 4) }
    }
    return random.below(4) === 0
      ? { _tag: 'frozen', answers: 20 + random.below(80), forMs: 500 + random.below(2_500) }
      : { _tag: 'after-answers', answers: random.below(400) }
  }
}

/** Lives in which a mistake shows: each ends at one of the points, or never if there are none. */
export const livesWithBug =
  (points: readonly Point[], random: Random): (() => Life | undefined) =>
  () => {
    const point = random.pick(points)
    return point === undefined ? undefined : { _tag: 'at-point', point, pass: 3 + random.below(8) }
  }

const shuffled = <A>(items: readonly A[], random: Random): A[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)

export const nameOf = (life: Life): string => {
  switch (life._tag) {
    case 'after-answers':
      return 'at random'
    case 'frozen':
      return 'frozen, then at random'
    case 'at-point':
      return life.point
    case 'frozen-at':
      return `frozen at ${life.point}`
    default:
      return life satisfies never
  }
}
