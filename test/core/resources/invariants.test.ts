import { apiKeysOf, passkeysOf } from '../../../core/organization/credential.ts'
import { nameOf } from '../../../core/organization/credentials.ts'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import type { Operation } from '../../../core/definition/operation.ts'
import { statesOf } from '../world/with-host.ts'
import type { Draft } from '../../../core/organization/state.ts'
import { flatten } from '../../../core/organization/snapshot.ts'
import { E } from '../../../core/prelude.ts'
import { allowedOrigins, ANY_ORIGIN, isOrigin, originsIn } from '../../../core/organization/origins.ts'
import { features } from '../../../core/organization/features.ts'
import { openCount } from '../../../core/resources/invitation/invitations.ts'
import { operationExamples } from './all-examples.ts'
import { anyMemory, drawFrom, drawnDoor } from './drawn-examples.ts'
import { ask } from './ask.ts'
import { NOBODY } from './example.ts'
import { anyOrganization, NOW } from './execute.ts'
import { json, parametersOf, sceneOf, type Done } from './scene.ts'

const it = suite('invariants')

const LIMITS = {
  users: 6,
  userTags: 4,
  policies: 4,
  longLivedApiKeys: 3,
  expiringApiKeys: 2,
  authenticators: 2,
  invitations: 3,
}

/** What needs work outside is concluded with what the work brings: tests of their own do that. */
const examples = operationExamples
  .filter(({ operation }) => operation.perform?.outside !== true)
  .map((example) => ({ ...example, [fc.toStringMethod]: () => example.operation.path })) // so that what breaks a rule can be read

class IsRefused extends Error {}

const isDistinct = (list: readonly string[]): boolean => new Set(list).size === list.length

const assertSound = (draft: Draft): void => {
  const { users, userTags, policies, quorum, credentials } = statesOf(draft)
  const owners = [...users.values()].flatMap(({ userId, credentials: own }) =>
    [...own.values()].map((one) => [nameOf(one), { userId, credentialId: one.credentialId }] as const),
  )
  assert.is(owners.length, credentials.size)
  for (const [{ kind, name }, owner] of owners) assert.equal(credentials.get(`${kind}:${name}`), owner)
  assert.ok(quorum.threshold >= 1 && quorum.threshold <= quorum.userIds.length)
  assert.ok(isDistinct(quorum.userIds) && quorum.userIds.every((userId) => users.has(userId)))
  const identities = [...users.values()].flatMap(({ oauthProviders }) => [...oauthProviders.values()])
  assert.ok(isDistinct(identities.map(({ issuer, audience, subject }) => JSON.stringify([issuer, audience, subject]))))
  for (const { tagIds, credentials: own, oauthProviders } of users.values()) {
    assert.ok(isDistinct(tagIds) && tagIds.every((tagId) => userTags.has(tagId)))
    const [keys, passkeys] = [apiKeysOf({ credentials: own }), passkeysOf({ credentials: own })]
    const longLived = keys.filter(({ expirationSeconds }) => expirationSeconds === undefined).length
    assert.ok(longLived + passkeys.length + oauthProviders.size >= 1 && longLived <= LIMITS.longLivedApiKeys)
    assert.ok(keys.length - longLived <= LIMITS.expiringApiKeys && passkeys.length <= LIMITS.authenticators)
  }
  assert.ok(isDistinct([...userTags.values()].map(({ tagName }) => tagName)))
  assert.ok(isDistinct([...policies.values()].map(({ policyName }) => policyName)))
  const origins = features.of(draft).get('FEATURE_NAME_WEBAUTHN_ORIGINS')
  assert.ok(origins === undefined || originsIn(origins) !== undefined)
  const { origins: allowed } = allowedOrigins.of(draft)
  assert.ok(allowed.every(isOrigin) || allowed.join() === ANY_ORIGIN)
  assert.ok(openCount(draft) <= LIMITS.invitations)
  assert.ok(users.size <= LIMITS.users && userTags.size <= LIMITS.userTags && policies.size <= LIMITS.policies)
}

// Without bias towards small numbers, so that most steps are allowed and something is there to be changed.
const anySteps = fc.noBias(
  fc.array(
    fc.record({
      example: fc.constantFrom(...examples),
      numbers: fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }),
    }),
    { minLength: 10, maxLength: 60, size: 'max' },
  ),
)

it('hold after any sequence of operations, and replay gives the same state', async () => {
  const executed = new Set<Operation>()
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const tried = anyOrganization()
      const memory = anyMemory()
      const submit = async (operation: Operation, type: string, parameters: Json, atMs: number): Promise<Done> => {
        const before: unknown = JSON.parse(JSON.stringify(flatten(tried.state)))
        const submitted = await tried.inspected(operation, parameters, { type, limits: LIMITS, atMs })
        if (E.isRight(submitted)) executed.add(operation)
        else assert.equal(flatten(tried.state), before)
        assertSound(tried.state)
        if (E.isLeft(submitted)) throw new IsRefused(submitted.left.message)
        const done = { id: NOBODY, fingerprint: '', result: submitted.right.result }
        if (type === operation.type) memory.keep(operation, done) // an older type may write another result
        return done
      }
      for (const [step, { example, numbers }] of steps.entries()) {
        const draw = drawFrom(numbers)
        const door = drawnDoor(draw, memory, [...statesOf(tried.state).users.keys()], {
          submit: (operation, type, parameters) => submit(operation, type, parameters, NOW + 1000 * step),
          ask: async (query, members) => {
            const answered = await ask(query, tried.state, members as { readonly [member: string]: Json })
            if (E.isLeft(answered)) throw new IsRefused(answered.left.message)
            return answered.right
          },
        })
        const [type = ''] = draw.some([...example.valid.keys()])
        try {
          const isWrong = draw.chance(1, 10)
          const asked = isWrong ? example.refused.request(sceneOf(door)) : parametersOf(door, example, type)
          const parameters = json(await asked)
          await door.submit(example.operation, type, memory.varied(parameters, draw))
        } catch (error) {
          if (!(error instanceof IsRefused)) throw error
        }
      }
      assert.equal(flatten(tried.replayed()), flatten(tried.state))
    }),
    { numRuns: 100, includeErrorInReport: true },
  )
  assert.equal(
    examples.filter(({ operation }) => !executed.has(operation)).map(({ operation }) => operation.path),
    [],
  ) // none was always refused
})

it.run()
