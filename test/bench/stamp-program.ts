/*
 * Stamps requests by the hundred, in a process of its own: a signature takes a fifth of the time that an engine needs for
 * the whole command.
 */
import { nodeIds } from 'countersign'
import { stamper, type SigningKey } from 'countersign/signatures'
import { doJobs } from './child.ts'
import { beginning, renaming, type Seed } from './seed.ts'

export type Stamped = { readonly body: Uint8Array; readonly stamp: string }

const stampedBodies = (key: SigningKey, count: number, bodyOf: (n: number) => Uint8Array): readonly Stamped[] => {
  const stamp = stamper(key)
  return Array.from({ length: count }, (_, n) => {
    const body = bodyOf(n)
    return { body, stamp: stamp(body) }
  })
}

doJobs({
  renamings: async ({ seed, from, count }: { readonly seed: Seed; readonly from: number; readonly count: number }) =>
    stampedBodies(seed.key, count, (n) => renaming(seed, `${from + n}`)),
  beginnings: async ({ seed, count }: { readonly seed: Seed; readonly count: number }) => {
    const ids = nodeIds()
    return stampedBodies(seed.key, count, () => beginning(ids.uuid(), seed.key))
  },
})
