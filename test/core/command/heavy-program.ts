/*
 * The process of a test in `live-activities.test.ts`: activities wait in it that are larger together than its heap, and it has
 * to stay able to answer. Prints what it measured.
 */
import { sqliteStore } from '../../../adapters/store-sqlite/index.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, world } from '../../world.ts'

const [path = '', count = ''] = process.argv.slice(2)
const NOTES = 'x'.repeat(1024 * 1024 - 2_000)

const w = await world({ store: right(await sqliteStore({ path })()) })
const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
const policy = { policyName: 'two', effect: 'EFFECT_ALLOW', consensus: 'approvers.count() >= 2', notes: '' }
await w.done(w.root, 'create_policy', policy)

const measured = (when: string): void => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const [heap, beside, all] = [heapUsed, external, rss].map((bytes) => `${Math.round(bytes / 2 ** 20)} MiB`)
  console.log(`${when}: heap ${heap}, beside it ${beside}, process ${all}`)
}
const must = (isSo: boolean, what: string): void => {
  if (!isSo) throw new Error(what)
}

measured('at the beginning')
const waiting = []
for (let n = 0; n < Number(count); n += 1) {
  const { id, fingerprint } = await w.done(ada, 'create_policy', { ...policy, policyName: `${n}`, notes: NOTES })
  waiting.push({ id, fingerprint })
}
measured(`${count} wait`)
for (const { id: activityId } of waiting) {
  const { activity } = await w.answer(w.root, 'get_activity', { activityId })
  must((activity as { readonly canApprove: boolean }).canApprove, 'it cannot be approved')
}
measured('all were asked for')
const listed = (limit: string) => w.ask(w.root, 'list_activities', { paginationOptions: { limit } })
must((right(await listed('10')).activities as readonly unknown[]).length === 10, 'the list is not whole')
must(codeOf(await listed('100')) === 'REQUEST_INVALID', 'a list is answered that is larger than the heap')
measured('they were listed')
for (const { fingerprint } of waiting.slice(0, 10)) {
  const approved = await w.submit(grace, 'approve_activity', { fingerprint })
  must(E.isRight(approved) && approved.right.status === 'ACTIVITY_STATUS_COMPLETED', 'it was not completed')
}
measured('ten were approved')
await w.close()
console.log('done')
