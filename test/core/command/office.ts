import { withHost } from '../world/with-host.ts'
import type { TestOptions } from '../world/tuned.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import type { PerformContext } from '../../../core/definition/operation.ts'
import { Refusal, refuse } from '../../../core/definition/refuse.ts'
import { world, type WorldOptions } from '../world/world.ts'
import { faultyStore } from './faulty-store.ts'
import { until } from '../world/under-way.ts'
import { postNotice, type NoticeOptions, type Receipt } from './notice.ts'
import { seenBy } from './seen-by.ts'
import { secondProcess } from './second-process.ts'

/** What a board gives, or throws. */
export type Outcome = Receipt | Refusal
export const done: Receipt = { receipt: 'one' }
export const down = refuse('UNAVAILABLE', 'the board does not answer')

/** The board that notices are posted to: what was asked of it, and what it answers, in order; at last always `done`. */
export const board = (...answers: readonly (Outcome | Promise<Outcome>)[]) => {
  const asked: PerformContext[] = []
  const run = async (_text: string, context: PerformContext): Promise<Receipt> => {
    asked.push(context)
    const answer = await (answers[asked.length - 1] ?? done)
    if (answer instanceof Refusal) throw answer
    return answer
  }
  return { asked, run }
}

/** An answer that somebody gives later. */
export const awaited = (): { readonly outcome: Promise<Outcome>; readonly answer: (outcome: Outcome) => void } => {
  let answer: (outcome: Outcome) => void = () => undefined
  const outcome = new Promise<Outcome>((resolve) => (answer = resolve))
  return { outcome, answer: (given) => answer(given) }
}

/** A world whose root posts notices, on a store that fails as it is told. */
export const office = async (
  notice: Partial<NoticeOptions>,
  {
    isShared = false,
    leases,
    ...options
  }: Omit<WorldOptions, 'store'> & { readonly isShared?: boolean; readonly leases?: Leases } = {},
) => {
  const store = { ...faultyStore({ isShared }), leases }
  const resources = withHost([postNotice({ outside: true, ...notice })])
  const w = await world({ store, resources, ...options })
  const post = () => w.submit(w.root, 'post_notice', { text: 'hello' })
  const seen = (id: string) => seenBy(w, w.root, id)
  const ends = (id: string) => until(async () => /COMPLETED|FAILED/.test((await seen(id)).status))
  const restart = (other: Partial<NoticeOptions> = {}, more: TestOptions = {}) =>
    secondProcess(w, { resources: withHost([postNotice({ outside: true, ...notice, ...other })]), ...more })
  return { ...w, store, post, seen, ends, restart }
}
