import { fail } from 'node:assert/strict'
import type { Lease, Leases } from '../../core/ports/leases.ts'
import { right, same, until } from './expect.ts'
import { storeCase, type Opened, type StoreCase } from './store-case.ts'

const LONG_MS = 600_000

const leasesOf = ({ leases }: Opened): Leases => {
  if (leases === undefined) throw new Error('the adapter under test says that it has leases')
  return leases
}
const taken = async (leases: Leases, name: string, forMs = LONG_MS): Promise<Lease> => {
  const lease = await right(leases.take(name, forMs))
  if (lease === undefined) throw new Error(`somebody holds the lease ${name}`)
  return lease
}
/** Takes the lease as soon as it has ended. */
const takenLater = async (leases: Leases, name: string): Promise<Lease> => {
  let lease: Lease | undefined
  await until(async () => (lease = await right(leases.take(name, LONG_MS))) !== undefined)
  return lease ?? fail('it was taken')
}

export const leasesCases: readonly StoreCase[] = [
  storeCase('L1', 'gives a lease to one at a time, each name for itself', ['leases'], async (opened) => {
    const leases = leasesOf(opened)
    const lease = await taken(leases, 'one')
    same(await right(leases.take('one', LONG_MS)), undefined)
    await taken(leases, 'two')
    await taken(leases, "odd \u{1f512}'; --")
    same(await right(leases.renew(lease, LONG_MS)), true)
    same(await right(leases.take('one', LONG_MS)), undefined)
  }),

  storeCase(
    'L2',
    'gives each taking a greater fence, after an end and after a giving up',
    ['leases'],
    async (opened) => {
      const leases = leasesOf(opened)
      const first = await taken(leases, 'one', 20)
      const second = await takenLater(leases, 'one')
      await right(leases.giveUp(second))
      const third = await taken(leases, 'one')
      same([first.fence < second.fence, second.fence < third.fence], [true, true])
    },
  ),

  storeCase('L3', 'renews and gives up nothing that another holds', ['leases'], async (opened) => {
    const leases = leasesOf(opened)
    const frozen = await taken(leases, 'one', 20)
    const lease = await takenLater(leases, 'one')
    same(await right(leases.renew(frozen, LONG_MS)), false)
    await right(leases.giveUp(frozen))
    same(await right(leases.take('one', LONG_MS)), undefined)
    same(await right(leases.renew(lease, LONG_MS)), true)
    await right(leases.giveUp(lease))
    await right(leases.giveUp(lease))
    same(await right(leases.renew(lease, LONG_MS)), false)
  }),

  storeCase('L4', 'gives a lease to one of many that ask at once', ['leases'], async (opened) => {
    const leases = leasesOf(opened)
    const found = await Promise.all(Array.from({ length: 30 }, () => right(leases.take('one', LONG_MS))))
    same(found.filter((lease) => lease !== undefined).length, 1)
  }),
]
