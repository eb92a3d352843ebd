import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { createTvcApp } from '../../../../core/resources/tvc/create-tvc-app.ts'
import { tvcOperators, tvcOperatorSets } from '../../../../core/resources/tvc/tvc-operators.ts'
import { anyOrganization, fieldsOf, NOBODY } from '../execute.ts'
import { anyApp, cloud, keys, operator } from './scenes.ts'

const it = suite('apps of the verifiable cloud')

const set = (operators: readonly number[], threshold: number, more: { readonly [member: string]: Json } = {}) => ({
  name: 'a set',
  newOperators: operators.map(operator),
  threshold,
  ...more,
})

it('with the same operators again have the same sets: in any order, by their ids or by their keys', () => {
  const { tried, app } = cloud()
  const [first = '', second = '', third = ''] = app.manifestSetOperatorIds
  const again = [
    { newOperators: [3, 1, 2].map(operator) },
    { existingOperatorIds: [third, first, second] },
    { newOperators: [operator(2)], existingOperatorIds: [first, third] },
  ]
  for (const [index, members] of again.entries()) {
    const manifestSetParams = { name: 'approvers', threshold: 2, ...members }
    const { result } = tried.execute(createTvcApp, anyApp({ name: `app ${index}`, manifestSetParams }))
    assert.equal(result, { ...app, appId: (result as typeof app).appId })
  }
  const { manifestSetId, shareSetId } = app
  const named = { name: 'by ids', quorumPublicKey: keys(0).publicKey, manifestSetId, shareSetId }
  const { result } = tried.execute(createTvcApp, named)
  assert.equal(result, { ...app, appId: (result as typeof app).appId })
  assert.equal([tvcOperators.of(tried.state).size, tvcOperatorSets.of(tried.state).size], [5, 2])
})

it('with another name, threshold or member have sets of their own, and one set may serve both ways', () => {
  const { tried, app } = cloud()
  const others = [set([1, 2, 3], 2), set([1, 2, 3], 3), set([1, 2], 2)]
  const ids = others.map((manifestSetParams, index) => {
    const { result } = tried.execute(
      createTvcApp,
      anyApp({ name: `app ${index}`, manifestSetParams, shareSetParams: manifestSetParams }),
    )
    const made = result as typeof app
    assert.is(made.shareSetId, made.manifestSetId)
    return made.manifestSetId
  })
  assert.is(new Set([...ids, app.manifestSetId]).size, 4)
  assert.is(tvcOperators.of(tried.state).size, 5)
})

const half = (a: number, b: number): string => keys(a).publicKey.slice(0, 130) + keys(b).publicKey.slice(130)
const fifty = Array.from({ length: 51 }, (_, n) => ({ name: `operator ${n}`, publicKey: keys(1).publicKey }))
const point = keys(1).publicKey.slice(0, 130)

const REFUSED: readonly (readonly [
  what: string,
  field: string,
  more: { readonly [member: string]: Json | undefined },
])[] = [
  ['a set by id and by members', 'manifestSetParams', { manifestSetId: NOBODY }],
  ['no manifest set', 'manifestSetParams', { manifestSetParams: undefined }],
  ['no share set', 'shareSetParams', { shareSetParams: undefined }],
  ['a threshold of none', 'manifestSetParams.threshold', { manifestSetParams: set([1], 0) }],
  ['a threshold above the members', 'manifestSetParams.threshold', { manifestSetParams: set([1], 2) }],
  ['a set without members', 'manifestSetParams.threshold', { manifestSetParams: set([], 1) }],
  ['one holder who has the whole key', 'shareSetParams.threshold', { shareSetParams: set([4, 5], 1) }],
  ['51 operators', 'manifestSetParams.newOperators', { manifestSetParams: set([], 1, { newOperators: fifty }) }],
  ['an operator twice', 'manifestSetParams.newOperators', { manifestSetParams: set([1, 1], 2) }],
  [
    'one key under two names',
    'manifestSetParams.newOperators',
    { manifestSetParams: set([1], 1, { newOperators: [operator(1), { ...operator(1), name: 'another' }] }) },
  ],
  [
    'one signing key beside two others',
    'manifestSetParams.newOperators',
    { manifestSetParams: set([], 1, { newOperators: [operator(1), { name: 'another', publicKey: half(2, 1) }] }) },
  ],
  [
    'an id twice',
    'manifestSetParams.existingOperatorIds',
    { manifestSetParams: set([], 1, { existingOperatorIds: [NOBODY, NOBODY] }) },
  ],
  ['half a quorum key', 'quorumPublicKey', { quorumPublicKey: point }],
  ['a quorum key that is not on the curve', 'quorumPublicKey', { quorumPublicKey: `${point}04${'11'.repeat(64)}` }],
  [
    'a compressed key',
    'manifestSetParams.newOperators.0.publicKey',
    { manifestSetParams: set([], 1, { newOperators: [{ name: 'one', publicKey: `02${'11'.repeat(32)}` }] }) },
  ],
]

for (const [what, field, more] of REFUSED)
  it(`are refused with ${what}`, () => {
    const tried = anyOrganization()
    const parameters = JSON.parse(JSON.stringify({ ...anyApp(), ...more })) as Json // without what is undefined
    assert.equal(fieldsOf(tried.refuse(createTvcApp, parameters)), [field])
  })

it('find no operator and no set of anybody else', () => {
  const tried = anyOrganization()
  const byId = { ...anyApp(), shareSetParams: null, shareSetId: NOBODY }
  const byMember = anyApp({ manifestSetParams: set([1], 1, { existingOperatorIds: [NOBODY] }) })
  for (const parameters of [byId, byMember])
    assert.is(tried.refuse(createTvcApp, parameters).code, 'RESOURCE_NOT_FOUND')
})

it('refuse an operator who is named by id and by key at once, and an approving set of threshold 1 for shares', () => {
  const { tried, app } = cloud({ manifestSetParams: set([1], 1) })
  const twice = set([1], 1, { existingOperatorIds: app.manifestSetOperatorIds })
  const refused = tried.refuse(createTvcApp, anyApp({ name: 'second', manifestSetParams: twice }))
  assert.equal(fieldsOf(refused), ['manifestSetParams.newOperators'])
  const forShares = { ...anyApp({ name: 'second' }), shareSetParams: null, shareSetId: app.manifestSetId }
  assert.equal(fieldsOf(tried.refuse(createTvcApp, forShares)), ['shareSetId'])
})

it('have names of their own, and are limited in number, as their operators and sets are', () => {
  const { tried } = cloud()
  assert.equal(fieldsOf(tried.refuse(createTvcApp, anyApp())), ['name'])
  const more = anyApp({ name: 'second', manifestSetParams: set([6], 1) })
  for (const limits of [{ tvcApps: 1 }, { tvcOperators: 5 }, { tvcOperatorSets: 2 }])
    assert.is(tried.refuse(createTvcApp, more, { limits }).code, 'RESOURCE_EXHAUSTED')
  tried.execute(createTvcApp, more, { limits: { tvcApps: 2, tvcOperators: 6, tvcOperatorSets: 3 } })
})

it.run()
