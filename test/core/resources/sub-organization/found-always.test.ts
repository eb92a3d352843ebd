import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hasEnded } from '../../../../core/organization/ended.ts'
import { passkeysOf } from '../../../../core/organization/credential.ts'
import { profile } from '../../../../core/organization/profile.ts'
import type { Organization } from '../../../../core/organization/state.ts'
import { users } from '../../../../core/organization/users.ts'
import { storedName } from '../../../../core/definition/projection.ts'
import type { RowSelection } from '../../../../core/ports/read-models.ts'
import type { Filter } from '../../../../core/resources/sub-organization/sub-organization-rows.ts'
import { walletAccounts } from '../../../../core/resources/wallet/wallets.ts'
import { subOrganizations } from '../../../../core/resources/sub-organization/sub-organizations.ts'
import { right, type World } from '../../world/world.ts'
import { family } from './children.ts'
import { allSteps, anySteps, drawnFamily, everyDoing, type Does } from './drawn-family.ts'
import { sought } from './drawn-persons.ts'

const it = suite('what is found below an organization, whatever was done there')

/** Whether a search of the whole state finds it. */
const has = (organization: Organization, filter: Filter, value: string): boolean => {
  const all = [...users.of(organization).values()]
  switch (filter) {
    case 'NAME':
      return profile.of(organization).name === value
    case 'USERNAME':
      return all.some(({ userName }) => userName === value)
    case 'EMAIL':
      return all.some(({ userEmail }) => userEmail?.toLowerCase() === value.toLowerCase())
    case 'PHONE_NUMBER':
      return all.some(({ userPhoneNumber }) => userPhoneNumber === value)
    case 'VERIFIED_EMAIL':
      return all.some((user) => user.isEmailVerified === true && user.userEmail?.toLowerCase() === value.toLowerCase())
    case 'VERIFIED_PHONE_NUMBER':
      return all.some((user) => user.isPhoneNumberVerified === true && user.userPhoneNumber === value)
    case 'PUBLIC_KEY':
      return all.some(({ credentials }) => [...credentials.values()].some(({ publicKey }) => publicKey === value))
    case 'CREDENTIAL_ID':
      return all.some((user) => passkeysOf(user).some(({ webauthnId }) => webauthnId === value))
    case 'WALLET_ACCOUNT_ADDRESS':
      return [...walletAccounts.of(organization).values()].some(({ account }) => account.address === value)
    case 'OIDC_CLAIMS': {
      const { iss, sub, aud } = JSON.parse(value) as { readonly [claim: string]: string } // one of those that are sought
      return all.some(({ oauthProviders }) =>
        [...oauthProviders.values()].some((one) => one.issuer === iss && one.subject === sub && one.audience === aud),
      )
    }
    case 'OIDC_ISSUER':
      return all.some(({ oauthProviders }) => [...oauthProviders.values()].some(({ issuer }) => issuer === value))
    default:
      return filter satisfies never
  }
}

/** The list, page by page from the newest to the oldest, and back. */
const listed = async (w: World, filter: object, limit: string): Promise<readonly (readonly string[])[]> => {
  const page = async (cursor: object): Promise<readonly string[]> =>
    (await w.answer(w.root, 'list_suborgs', { ...filter, paginationOptions: { limit, ...cursor } }))
      .organizationIds as readonly string[]
  const down = [...(await page({}))]
  for (let next: readonly string[] = down; next.length > 0;) down.push(...(next = await page({ before: down.at(-1) })))
  const up: string[] = down.slice(-1)
  for (let next: readonly string[] = up; next.length > 0;) up.unshift(...(next = await page({ after: up[0] })))
  return [down, up]
}

const rowsIn = async ({ storage, organizationId }: World, selection: Partial<RowSelection> = {}) =>
  right(await storage.readModels.rows(storedName(subOrganizations), organizationId, { limit: 10_000, ...selection })())

it('is what a search of all states finds, and nothing of those who were erased; so it is when it is built again', async () => {
  const done = new Set<Does>()
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const w = await family()
      const drawn = drawnFamily(w)
      for (const [n, step] of steps.entries()) await drawn.carryOut(step, n)
      const states = (await Promise.all(drawn.children.map(drawn.stateOf)))
        .filter((state) => !hasEnded(state))
        .toReversed()
      const expected = (filter?: Filter, value = ''): readonly string[] =>
        states
          .filter((state) => filter === undefined || has(state, filter, value))
          .map(({ organizationId }) => organizationId)
      assert.equal(await listed(w, {}, '1'), [expected(), expected()])
      for (const [filterType, filterValue] of sought) {
        const found = expected(filterType, filterValue)
        assert.equal(await listed(w, { filterType, filterValue }, '2'), [found, found], `${filterType} ${filterValue}`)
      }
      const rows = new Set((await rowsIn(w)).map(({ key }) => key))
      for (const { child, userId, facets } of drawn.gone) {
        for (const filter of ['USERNAME', 'EMAIL', 'PHONE_NUMBER'])
          assert.not.ok(rows.has(`${filter} ${child} ${userId}`))
        for (const facet of facets) assert.equal(await rowsIn(w, { first: [facet] }), [], facet)
      }
      const rebuilt = right(await w.engine.replay(subOrganizations)()).state.get(w.organizationId) ?? new Map()
      for (const [key, { order, value, first }] of rebuilt)
        assert.ok(
          (await rowsIn(w, { first: [first ?? ''] })).some((row) => row.key === key && row.order === order),
          `${key} ${String(value)}`,
        )
      for (const key of rows) assert.ok(rebuilt.has(key) || /^(?:PUBLIC_KEY|CREDENTIAL_ID) /.test(key), key)
      for (const one of drawn.done) done.add(one)
      await w.close()
    }),
    { numRuns: 30, examples: [[[...allSteps]]] },
  )
  assert.equal(
    everyDoing.filter((one) => !done.has(one)),
    [],
  ) // none was always refused
})

it.run()
