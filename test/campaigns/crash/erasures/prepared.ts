import type { Json } from '../../../../core/failure.ts'
import { copyFileSync, existsSync } from 'node:fs'
import { decodeEvent } from '../../../../core/log/event.ts'
import { personalPart } from '../../../../core/log/personal-part.ts'
import type { Recorded } from '../../../../core/ports/event-store.ts'
import { erasure } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { stamp } from '../../../../adapters/signatures/signer.ts'
import { openSqliteStore } from '../../../../adapters/store-sqlite/open.ts'
import { childOf } from '../../../core/resources/sub-organization/children.ts'
import { right, testClock, world, type World } from '../../../core/world/world.ts'

/** A closed store in which a person can be erased, and what was in it before. */
export type Prepared = {
  readonly path: string
  readonly organizationId: string
  readonly request: { readonly stamp: string; readonly body: string }
  /** Texts of the person, which must be gone. */
  readonly texts: readonly string[]
  /** Texts of others, which must not. */
  readonly kept: readonly string[]
  readonly recorded: readonly Recorded[]
  /** The parts that an erasure has to erase: sequences and names, as the lines say it. */
  readonly toErase: ReadonlySet<string>
}

export const placeOf = (sequence: bigint, name: string): string => `${sequence} ${name}`

const CHANGES = 40

/**
 * @param isBelow  whether the person is a user of an organization below another one, whose root user asks for the erasure
 */
export const prepare = async (path: string, isBelow = false): Promise<Prepared> => {
  const storage = right(await openSqliteStore({ path })())
  const w = await world({
    store: storage,
    resources: [...publicApi, ...erasure],
    testClock: testClock(Date.now()),
    snapshotEvery: 1,
    executeTwice: false,
  })
  const place = isBelow ? await childOf(w) : w
  const { root, done, enrol } = place
  const ada = await enrol('canary-ada-of-the-erasure')
  const bob = await enrol('canary-bob-who-stays')
  for (let n = 0; n < CHANGES; n += 1) {
    await done(root, 'update_user', { userId: ada.userId, userEmail: `canary-${n}-of-ada@example.com` })
    await done(root, 'update_user', { userId: bob.userId, userEmail: `canary-${n}-of-bob@example.com` })
  }
  await done(root, 'delete_users', { userIds: [ada.userId] })
  const { head } = await place.answer(root, 'list_personal_places', { userId: ada.userId })
  const body = place.body('erase_user', { userId: ada.userId, head: head as Json }, { timestampMs: String(Date.now()) })
  const recorded = await recordsOf(w, place.organizationId)
  await w.close()
  return {
    path,
    organizationId: place.organizationId,
    request: { stamp: stamp(w.root.key, body), body: Buffer.from(body).toString('base64') },
    texts: ['canary-ada-of-the-erasure', ...Array.from({ length: CHANGES }, (_, n) => `canary-${n}-of-ada`)],
    kept: ['canary-bob-who-stays', ...Array.from({ length: CHANGES }, (_, n) => `canary-${n}-of-bob`)],
    recorded,
    toErase: new Set(recorded.flatMap((one) => ofPerson(one, ada.userId))),
  }
}

const recordsOf = async ({ storage }: World, organizationId: string): Promise<readonly Recorded[]> =>
  right(await storage.store.readLog(organizationId, 0n, 10_000)())

const ofPerson = ({ line, sequence, parts }: Recorded, userId: string): readonly string[] => {
  const event = right(decodeEvent(line))
  const names = 'subjects' in event.data && (event.data.subjects?.includes(userId) ?? false)
  return parts.flatMap(({ name }) =>
    name === personalPart(userId) || (name === 'request' && names) ? [placeOf(sequence, name)] : [],
  )
}

/** A copy of the closed store, for one round. */
export const copied = (prepared: Prepared, path: string): Prepared => {
  for (const end of ['', '-wal'])
    if (existsSync(`${prepared.path}${end}`)) copyFileSync(`${prepared.path}${end}`, `${path}${end}`)
  return { ...prepared, path }
}
