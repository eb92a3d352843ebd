import { stamper } from '../../../adapters/signatures/signer.ts'
import { encode, renaming, type Seed } from '../bench/seed.ts'
import { caller, postOf } from '../load/caller.ts'
import type { Measured } from './verdict.ts'

const CONNECTIONS = 8

/** Somebody who asks who they are, and renames a tag, whatever else the server does. */
export const honestCaller = (url: string, seed: Seed) => {
  const stamp = stamper(seed.key)
  const asked = encode({ organizationId: seed.organizationId })
  const question = postOf('/public/v1/query/whoami', asked, [`X-Stamp: ${stamp(asked)}`])
  let renamed = 0
  const submission = (): Uint8Array => {
    const body = renaming(seed, `honest ${(renamed += 1)}`)
    return postOf('/public/v1/submit/update_user_tag', body, [`X-Stamp: ${stamp(body)}`])
  }
  return {
    question,
    /** Asks so often on each of a few connections that stay open, and beside them on a new one each time. Gives the answers. */
    ask: async (rounds: number): Promise<Measured['honest']> => {
      const statuses = new Map<number, number>()
      const work = async (index: number): Promise<void> => {
        const by = caller(url)
        for (let round = 0; round < rounds; round += 1) {
          const answer = await by.ask((index + round) % 2 === 0 ? question : submission())
          statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1)
          if (index === CONNECTIONS) by.close()
        }
        by.close()
      }
      await Promise.all(Array.from({ length: CONNECTIONS + 1 }, (_, index) => work(index)))
      return statuses
    },
  }
}
